/** A refusal in the words of OAuth (RFC 6749, 5.2). */
export class OAuthRefusal extends Error {
  readonly error: string
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(error: string, description: string, status = 400, retryAfterSeconds?: number) {
    super(description)
    this.error = error
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}
export const invalidRequest = (description: string): OAuthRefusal => new OAuthRefusal('invalid_request', description)
export const invalidGrant = (description: string): OAuthRefusal => new OAuthRefusal('invalid_grant', description)
export const invalidClient = (description: string): OAuthRefusal => new OAuthRefusal('invalid_client', description, 401)
