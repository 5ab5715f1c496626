/** The JSON pointer of a field that an option names: `vehicle.vin` and `/vehicle/vin` are the same. A dot leads into an object, unless the name begins with a slash. */
export function toFieldPointer(field: string): string {
  const name = field.trim()
  return name.startsWith('/') ? name : `/${name.split('.').join('/')}`
}
