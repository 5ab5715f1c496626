import { METADATA_RU } from '../charge/operation-charge.ts'
import { parseOfferContent } from '../charge/throughput.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import type { Offer } from '../store/offer.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { parseJsonBody } from './request-body.ts'
import { isKnown, refuseUnlessMatched } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { isSet, type WireRequest } from './wire-request.ts'

const REPLACE_RU = 9.9

/** `GET /offers/{rid}`. */
export function readOffer(service: Service, request: WireRequest): Answer {
  const offer = offerOf(service, request)
  const answer = offerAnswer(offer, METADATA_RU)
  return isKnown(request, offer.etag) ? { ...answer, status: 304, body: undefined } : answer
}

/** `PUT /offers/{rid}`: budgets change at once; more than the ranges can serve starts splits. */
export function replaceOffer(service: Service, request: WireRequest): Answer {
  const offer = offerOf(service, request)
  refuseUnlessMatched(request, offer.etag)
  refuseUnless(
    offer.throughputPolicy === 'equal',
    "The throughput of this container is distributed over its physical partitions by hand. Set the throughput policy to 'equal' before you change the offer."
  )
  const body = parseJsonBody(request.body)
  refuseUnless(isObject(body), 'The offer must be a JSON object.')
  const throughput = parseOfferContent(body['content'], offer.throughput, migrationOf(request))
  const { minimum } = offer
  const isEnough = throughput.mode !== offer.throughput.mode || throughput.ruPerSecond >= minimum
  refuseUnless(
    isEnough,
    `The offer throughput ${throughput.ruPerSecond} is below the minimum of ${minimum} for this resource.`
  )
  service.account.changeOffer(offer, throughput, Math.floor(service.now() / 1000))
  service.mover.followOffer(offer)
  return offerAnswer(offer, REPLACE_RU)
}

function offerOf(service: Service, request: WireRequest): Offer {
  const rid = request.address.ids[0]
  const offer =
    service.account.offers.get(rid) ??
    [...service.account.offers.values()].find((other) => other.rid.toLowerCase() === rid.toLowerCase())
  if (offer === undefined) throw new ServiceError(404, `The offer '${rid}' does not exist.`)
  return offer
}

function migrationOf(request: WireRequest): 'manual' | 'autoscale' | undefined {
  if (isSet(request, 'x-ms-cosmos-migrate-offer-to-manual-throughput')) return 'manual'
  return isSet(request, 'x-ms-cosmos-migrate-offer-to-autopilot') ? 'autoscale' : undefined
}

function offerAnswer(offer: Offer, chargeRu: number): Answer {
  const json = offer.toJson()
  return jsonAnswer(200, json, chargeRu, [
    'etag',
    offer.etag,
    'x-ms-offer-replace-pending',
    String(offer.isReplacePending),
    'x-ms-cosmos-min-throughput',
    String(offer.minimum)
  ])
}
