/** A refusal in the words of OAuth (RFC 6749, 5.2). */
export class OAuthRefusal extends Error {
  readonly error: string
  readonly status: number

  constructor(error: string, description: string, status = 400) {
    super(description)
    this.error = error
    this.status = status
  }
}
export const invalidRequest = (description: string): OAuthRefusal => new OAuthRefusal('invalid_request', description)
export const invalidGrant = (description: string): OAuthRefusal => new OAuthRefusal('invalid_grant', description)
export const invalidClient = (description: string): OAuthRefusal => new OAuthRefusal('invalid_client', description, 401)
