import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { ensureClient } from '../../scripts/dashboard.mjs'
import { program } from '../support/programs.ts'
import { gallery } from './gallery.ts'

export interface Dashboard extends AsyncDisposable {
  readonly gateway: TestGateway
  /** Opens a page at this path; any console message, report, or request to another origin is a fault. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** Opens tabs of one browser, which share its cookies: each call opens one. */
  tabs(options?: BrowserContextOptions): Promise<(path: string) => Promise<Page>>
  /** Throws when any page had a fault. */
  assertQuiet(): void
}

export async function startDashboard(options: Partial<TestGatewayOptions> = {}): Promise<Dashboard> {
  await ensureClient()
  const gateway = await startTestGateway({ plugins: [...standardPlugins, gallery()], listen: true, ...options })
  let browser: Browser
  try {
    browser = await chromium.launch({ executablePath: program('chromium') as string, args: ['--no-sandbox'] })
  } catch (error) {
    await gateway.stop()
    throw error
  }
  const faults: string[] = []
  const desk = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const
  return {
    gateway,
    open: async (path, context = {}) => visit(await browser.newPage({ ...desk, ...context }), path),
    async tabs(options = {}) {
      const context = await browser.newContext({ ...desk, ...options })
      return async (path) => visit(await context.newPage(), path)
    },
    assertQuiet: () => assert.deepEqual(faults, []),
    async [Symbol.asyncDispose]() {
      await browser.close()
      await gateway.stop()
    },
  }

  async function visit(page: Page, path: string): Promise<Page> {
    page.on('console', (message) => {
      // A browser logs every refusal, also those that a page is meant to show.
      if (!message.text().startsWith('Failed to load resource')) faults.push(`${path}: console ${message.type()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => faults.push(`${path}: ${error.stack}`))
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url)) faults.push(`${path}: asked ${request.url()}`)
    })
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (e) => console.error('policy', e.violatedDirective, e.blockedURI))`,
    )
    await page.goto(gateway.url + path)
    return page
  }
}

/** Waits until every panel of the page has its answer. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  // Uses no function in the page, because its policy forbids evaluation.
  await page.locator('[aria-busy=true], .loading').first().waitFor({ state: 'detached' })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the violations that axe finds against WCAG 2.2 A and AA, one line each. */
export async function axeFaults(page: Page): Promise<string[]> {
  // Injected by the protocol, because the page's policy forbids scripts.
  await page.evaluate(axe)
  return page.evaluate(`axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))))`)
}

export async function overflows(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
}
