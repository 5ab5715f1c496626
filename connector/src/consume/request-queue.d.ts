declare module 'kafkajs/src/network/requestQueue/index.js' {
  // oxlint-disable-next-line import/no-default-export -- as kafkajs exports it
  export default class RequestQueue {
    scheduleCheckPendingRequests(): void
    checkPendingRequests(): void
  }
}
