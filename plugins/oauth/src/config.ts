import { closed, defineConfig, serverAddress, Type } from '@gateway/sdk'

export const config = defineConfig(
  'oauth',
  Type.Object(
    {
      publicUrl: Type.Optional(
        Type.String({
          rule: serverAddress,
          env: 'GATEWAY_PUBLIC_URL',
          description:
            'Address at which clients reach this gateway, without a path. OAuth is off unless it is https, or a loopback address.',
        }),
      ),
      registration: Type.Boolean({
        default: false,
        env: 'GATEWAY_OAUTH_REGISTRATION',
        description: 'Lets any client register itself (RFC 7591), for those that have no metadata document.',
      }),
      loopbackClients: Type.Boolean({
        default: false,
        env: 'GATEWAY_OAUTH_LOOPBACK_CLIENTS',
        description: 'Allows metadata documents of clients on loopback addresses, for development.',
      }),
      accessMinutes: Type.Integer({ default: 60, minimum: 1, maximum: 1_440, description: 'Lifetime of an access token.' }),
      tokenRequestsPerMinute: Type.Integer({
        default: 300,
        minimum: 1,
        maximum: 100_000,
        description: 'Requests of one client from one address to the token endpoint, per node; further ones are refused with 429.',
      }),
      tokenFailuresPerMinute: Type.Integer({
        default: 60,
        minimum: 1,
        maximum: 100_000,
        description: 'Refused requests of one address to the token endpoint, per node; further requests are refused with 429.',
      }),
      devicesPerAddress: Type.Integer({
        default: 100,
        minimum: 1,
        maximum: 1_000,
        description: 'Device logins that one address may begin within ten minutes, per node; further ones are refused with 429.',
      }),
      clientsPerAddress: Type.Integer({
        default: 100,
        minimum: 1,
        maximum: 5_000,
        description: 'Clients that one address may register within an hour, per node; further ones are refused with 429.',
      }),
      grantDays: Type.Integer({
        default: 30,
        minimum: 1,
        maximum: 365,
        description: 'Lifetime of a grant; a client asks again after it.',
      }),
    },
    closed,
  ),
)
