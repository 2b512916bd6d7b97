/** OAuth state of an official client, in memory. The same object serves both packages. */
export class ClientProvider {
  readonly redirectUrl: string
  readonly clientMetadataUrl?: string
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; grant_types: string[]; token_endpoint_auth_method: string }
  /** Address that the client sends the person's browser to. */
  authorization: URL | undefined
  #client: object | undefined
  #tokens: object | undefined
  #verifier = ''
  #discovery: object | undefined

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
    this.clientMetadata = {
      client_name: 'Official client',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }
  }

  state = () => 'the-state'
  clientInformation = () => this.#client as never
  saveClientInformation = (client: object): void => void (this.#client = client)
  tokens = () => this.#tokens as never
  saveTokens = (tokens: object): void => void (this.#tokens = tokens)
  redirectToAuthorization = (url: URL): void => void (this.authorization = url)
  saveCodeVerifier = (verifier: string): void => void (this.#verifier = verifier)
  codeVerifier = () => this.#verifier
  saveDiscoveryState = (state: object): void => void (this.#discovery = state)
  discoveryState = () => this.#discovery as never
}
