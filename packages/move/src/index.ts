export {
  openMoveContainer,
  type MoveContainerOptions,
  type MoveContainerStats,
  type OpenMoveContainer
} from './containers/open-container.ts'
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
