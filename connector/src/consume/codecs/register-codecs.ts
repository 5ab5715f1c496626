/** placeholder */
export function registerCodecs(): void {}
