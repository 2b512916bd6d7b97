import { type CollectionRef, defineService, type PublicRecord, type TenantRole } from '@gateway/sdk'

export interface BrowserSessions {
  /** The collection of members: answers about them hold while it does not change. */
  readonly members: CollectionRef
  /** True until the session ends. One read by id. */
  stands(sessionId: string): Promise<boolean>
  /** Current role of a person who signs in through a provider; `undefined` once they are not a member. One read by id. */
  roleOfMember(memberId: string): Promise<TenantRole | undefined>
}
export const browserSessions = defineService<BrowserSessions>('sign-in.sessions')

/** People of every tenant who have consented to something. For the system alone, which learns the tenant from a token. */
export interface Consenters {
  /** True while the browser session and the member that are given exist. */
  stand(tenantId: string, of: { readonly sessionId?: string | undefined; readonly memberId?: string | undefined }): Promise<boolean>
}
export const consenters = defineService<Consenters>('sign-in.consenters')

/** A person of a provider, admitted by an identity assertion. */
export interface AssertedMember {
  readonly tenantId: string
  readonly memberId: string
  readonly callerId: string
  readonly role: TenantRole
  readonly label?: string
  /** Scopes that the issuer allows, as it wrote them; absent if it says nothing. */
  readonly scope: string | undefined
  /** The resource that the issuer names, unchecked. */
  readonly resource: unknown
}

/** Identity assertions (ID-JAG) of configured issuers. For the system alone, since the person's tenant is known only from them. */
export interface IdentityAssertions {
  /** False while no issuer's assertions are accepted. */
  readonly isOn: boolean
  /** Verifies an assertion, uses it up, and admits its person as a sign-in would. A fault says why not. */
  admit(
    given: { readonly assertion: string; readonly audience: string; readonly clientId: string },
    audit: (record: PublicRecord) => void,
  ): Promise<AssertedMember | { readonly fault: string }>
}
export const identityAssertions = defineService<IdentityAssertions>('sign-in.identity-assertions')
