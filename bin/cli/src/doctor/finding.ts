/** Result of one check. `fix` says what to do, and is present for everything that is not ok. */
export interface Finding {
  readonly check: string
  readonly outcome: 'ok' | 'warn' | 'fail'
  readonly detail: string
  readonly fix?: string
}

export function findings(check: string) {
  return {
    ok: (detail: string): Finding => ({ check, outcome: 'ok', detail }),
    warn: (detail: string, fix: string): Finding => ({ check, outcome: 'warn', detail, fix }),
    fail: (detail: string, fix: string): Finding => ({ check, outcome: 'fail', detail, fix }),
  }
}
