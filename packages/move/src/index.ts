export type {
  ChangesAnswer,
  ChangesPage,
  ChangesRequest,
  DeleteWrite,
  DocumentVersion,
  DocumentWrite,
  FeedMode,
  FeedRange,
  MoveContainer,
  RangeSplit,
  ReadOptions,
  StoreWrite,
  WriteAnswer
} from './containers/move-container.ts'
