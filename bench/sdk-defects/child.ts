import { CosmosClient } from '@azure/cosmos'
import { CHILD_WORKS, type ChildWork } from './child-works.ts'
import { CONTAINER, DATABASE } from './bench-container.ts'

// Runs the task of the official client that the command line names.
const [work = '', endpoint = '', key = ''] = process.argv.slice(2)
const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
process.stdout.write('begins')
await CHILD_WORKS[work as ChildWork](client.database(DATABASE).container(CONTAINER))
process.exit(0)
