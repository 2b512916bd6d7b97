import { defineService, type TenantRole } from '@gateway/sdk'

/** Browser sessions of the caller's tenant. */
export interface BrowserSessions {
  /** True until the session ends. One read by id. */
  stands(sessionId: string): Promise<boolean>
  /** Current role of a person who signs in through a provider; `undefined` once they are no member. One read by id. */
  roleOfMember(memberId: string): Promise<TenantRole | undefined>
}
export const browserSessions = defineService<BrowserSessions>('sign-in.sessions')
