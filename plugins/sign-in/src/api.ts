import { defineService } from '@gateway/sdk'

/** Browser sessions of the caller's tenant. */
export interface BrowserSessions {
  /** True until the session ends. One read by id. */
  stands(sessionId: string): Promise<boolean>
}
export const browserSessions = defineService<BrowserSessions>('sign-in.sessions')
