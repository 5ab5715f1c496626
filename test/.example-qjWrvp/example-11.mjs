import { ownerOf, partitionHash, rangesOf } from '@keystamp/core'

const definition = { kind: 'Hash', version: 2 }
const epk = partitionHash(['abc-123-2018'], definition)
console.log(epk) // 31850F1537EA6E0808815BF860BA5C6A
console.log(ownerOf(rangesOf(4, definition), epk).id) // 3
