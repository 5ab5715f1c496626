// Parts for the thread of `keystamp plan` that reads records: a thread starts sooner with few modules. Not public: they
// change without notice, and without a line in CHANGELOG.md.
export { readRows } from './sample/record-block.ts'
export { RowReader } from './sample/record-row.ts'
