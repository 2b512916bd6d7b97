import { closed, defineConfig, type Infer, serverAddress, Type, tenantRoles } from '@gateway/sdk'

const text = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, description })

const provider = Type.Object(
  {
    kind: Type.Enum(['oidc', 'github'], {
      default: 'oidc',
      description: '`oidc`: any OpenID Connect issuer. `github`: GitHub, which has OAuth without OpenID Connect.',
    }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Text of its button. Default: its id.' })),
    issuer: Type.Optional(
      Type.String({
        pattern: '^https?://[^?#@]+$',
        maxLength: 2_000,
        description: 'Issuer, whose configuration is discovered; required for `oidc`. For `github` the address of a GitHub server.',
      }),
    ),
    clientId: text('Id of this gateway at the provider.'),
    clientSecret: Type.Optional(text('Secret of this gateway at the provider. Never shown. Refer to an environment variable.')),
    scopes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', maxLength: 200 }), {
        maxItems: 20,
        description: 'Scopes to ask for. Default: openid, email, profile; for `github` read:user, user:email, read:org.',
      }),
    ),
    assertions: Type.Boolean({
      default: false,
      description:
        'Accepts identity assertions (ID-JAG) of this issuer at the token endpoint: its administrators decide which clients act for its people, without a page of consent. For `oidc`.',
    }),
    trustEmail: Type.Boolean({
      default: false,
      description:
        'Takes the e-mail address as verified although the provider does not say so. Only for a provider whose users cannot choose their address.',
    }),
  },
  closed,
)
export type ProviderConfig = Infer<typeof provider>

const rule = Type.Object(
  {
    provider: Type.Optional(Type.String({ maxLength: 40, description: 'Id of a provider.' })),
    emailDomain: Type.Optional(
      Type.String({ pattern: '^[a-z0-9.-]+$', maxLength: 253, description: 'Domain of the verified e-mail address, in lower case.' }),
    ),
    group: Type.Optional(text('A member of the claim `groups`; for `github` an organization, or organization/team.')),
    claim: Type.Optional(Type.Object({ name: text('Name of a claim.'), value: text('Its value, or one of its values.') }, closed)),
    tenantId: Type.String({ maxLength: 64, description: 'Tenant that the person is admitted to.' }),
    role: Type.Enum(tenantRoles),
  },
  { ...closed, minProperties: 3 },
)
export type AdmissionRule = Infer<typeof rule>

export const config = defineConfig(
  'sign-in',
  Type.Object(
    {
      sessionHours: Type.Integer({
        default: 12,
        minimum: 1,
        maximum: 720,
        description: 'Hours a browser stays signed in. The session ends earlier if its key ends.',
      }),
      publicUrl: Type.Optional(
        Type.String({
          rule: serverAddress,
          env: 'GATEWAY_PUBLIC_URL',
          description: 'Address at which browsers reach this gateway, without a path. Signing in through a provider needs it.',
        }),
      ),
      providers: Type.Record(Type.String(), provider, {
        default: {},
        maxProperties: 20,
        propertyNames: { pattern: '^[a-z0-9-]{1,40}$' },
        description: 'Providers through which people sign in, by id. The redirect address is `<publicUrl>/oauth/callback/<id>`.',
      }),
      admit: Type.Array(rule, {
        default: [],
        maxItems: 500,
        description:
          'Admits people without an invitation: the first rule decides whose conditions all hold (provider, emailDomain, group, claim; at least one).',
      }),
      invitationDays: Type.Integer({ default: 7, minimum: 1, maximum: 90, description: 'Lifetime of an invitation.' }),
    },
    closed,
  ),
)
