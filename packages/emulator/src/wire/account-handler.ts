import { type Answer, jsonAnswer } from './answer.ts'
import type { Service } from './service.ts'
import type { WireRequest } from './wire-request.ts'

/** `GET /`: what a client learns first; its locations carry the scheme and port that were asked. */
export function readAccount(service: Service, request: WireRequest): Answer {
  const location = { name: 'Local', databaseAccountEndpoint: `${request.origin}/` }
  const replicas = { minReplicaSetSize: 1, maxReplicasetSize: 4, asyncReplication: false }
  const account = {
    _self: '',
    // the JavaScript SDK ignores the locations of an account named localhost
    id: 'local-emulator',
    _rid: 'local-emulator',
    media: '//media/',
    addresses: '//addresses/',
    _dbs: '//dbs/',
    writableLocations: [location],
    readableLocations: [location],
    enableMultipleWriteLocations: false,
    continuousBackupEnabled: false,
    enableNRegionSynchronousCommit: false,
    enablePerPartitionFailoverBehavior: false,
    userReplicationPolicy: replicas,
    userConsistencyPolicy: { defaultConsistencyLevel: service.settings.consistency },
    systemReplicationPolicy: replicas,
    readPolicy: { primaryReadCoefficient: 1, secondaryReadCoefficient: 1 },
    queryEngineConfiguration: QUERY_ENGINE
  }
  return jsonAnswer(200, account, 0)
}

const QUERY_ENGINE: string = JSON.stringify({
  maxSqlQueryInputLength: 262144,
  maxJoinsPerSqlQuery: 10,
  maxLogicalAndPerSqlQuery: 2000,
  maxLogicalOrPerSqlQuery: 2000,
  maxUdfRefPerSqlQuery: 10,
  maxInExpressionItemsCount: 16000,
  queryMaxInMemorySortDocumentCount: 500,
  maxQueryRequestTimeoutFraction: 0.9,
  sqlAllowNonFiniteNumbers: false,
  sqlAllowAggregateFunctions: true,
  sqlAllowSubQuery: false,
  sqlAllowScalarSubQuery: false,
  allowNewKeywords: true,
  sqlAllowLike: true,
  sqlAllowGroupByClause: false,
  maxSpatialQueryCells: 12,
  spatialMaxGeometryPointCount: 256,
  sqlDisableQueryILOptimization: false,
  sqlDisableFilterPlanOptimization: false
})
