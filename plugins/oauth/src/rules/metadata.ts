import { SCOPES } from '../schema.ts'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Identity assertions as grants (RFC 7523), for enterprise-managed authorization. */
export const ASSERTION_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag'

/** Metadata of the resource at one view (RFC 9728). */
export const resourceMetadata = (issuer: string, path: string) => ({
  resource: `${issuer}${path}`,
  authorization_servers: [issuer],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Gateway',
})

/** Metadata of the authorization server (RFC 8414). */
export const serverMetadata = (
  issuer: string,
  { registration, assertions }: { readonly registration: boolean; readonly assertions: boolean },
) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
  ...(registration && { registration_endpoint: `${issuer}/oauth/register` }),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    DEVICE_GRANT,
    ...(assertions ? [ASSERTION_GRANT] : []),
  ],
  ...(assertions && { authorization_grant_profiles_supported: [ASSERTION_PROFILE] }),
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['none'],
  scopes_supported: SCOPES,
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
})
