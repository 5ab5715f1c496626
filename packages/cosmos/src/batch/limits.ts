/** Most operations of one request. */
export const MAX_OPERATIONS = 100
/** Most bytes of one request, as the official clients hold it; a single larger operation travels alone. */
export const MAX_BATCH_BYTES = 220_201
/** Most bytes of a document, and of an atomic batch. */
export const MAX_DOCUMENT_BYTES: number = 2 * 1024 * 1024
