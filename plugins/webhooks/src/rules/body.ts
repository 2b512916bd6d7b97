interface DeliveryFacts {
  readonly id: string
  readonly event: string
  readonly at: Date
  readonly tenantId: string
  readonly data: object
}

/** Body that is sent to a receiver. Data above the size limit is left out, and `omittedBytes` is its size. */
export function deliveryBody({ id, event, at, tenantId, data }: DeliveryFacts, maxBytes: number): string {
  const envelope = { id, event, at: at.toISOString(), tenantId }
  const body = JSON.stringify({ ...envelope, data })
  if (Buffer.byteLength(body) <= maxBytes) return body
  return JSON.stringify({ ...envelope, data: null, omittedBytes: Buffer.byteLength(JSON.stringify(data)) })
}
