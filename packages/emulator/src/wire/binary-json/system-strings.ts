/** Texts that binary JSON writes as one byte, in the order of their numbers. */
export const SYSTEM_STRINGS: readonly string[] = [
  ...['$s', '$t', '$v', '_attachments', '_etag', '_rid', '_self', '_ts'],
  ...['attachments/', 'coordinates', 'geometry', 'GeometryCollection', 'id', 'url', 'Value', 'label'],
  ...['LineString', 'link', 'MultiLineString', 'MultiPoint', 'MultiPolygon', 'name', 'Name', 'Type'],
  ...['Point', 'Polygon', 'properties', 'type', 'value', 'Feature', 'FeatureCollection', '_id']
]
