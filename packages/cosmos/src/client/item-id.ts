/**
 * Whether the path of a URL can name the item. Half of a surrogate pair cannot be encoded, `.` and `..` are removed from
 * a path together with what they refer to, and a path with an encoded slash is changed on its way.
 */
export function isAddressable(id: string): boolean {
  return id !== '.' && id !== '..' && !/[/\\]/.test(id) && id.isWellFormed()
}
