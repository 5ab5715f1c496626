/** JSON text for a header, which takes no characters beyond ASCII: they are escaped. */
export function headerText(json: string): string {
  return json.replaceAll(/[\u007F-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
