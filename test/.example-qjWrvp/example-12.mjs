import { partitionHash } from '@keystamp/core'

console.log(partitionHash(['a', 'b'], { kind: 'MultiHash', version: 2 })) // 3A5381E1114EB8D3FCC90795045B49B7195644569A78B1E22D200348AF9416CE
console.log(partitionHash(['a'], { kind: 'MultiHash', version: 2 })) // 3A5381E1114EB8D3FCC90795045B49B7
