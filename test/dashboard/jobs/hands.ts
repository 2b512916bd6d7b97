import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { settled } from '../support.ts'

type Role = Parameters<Page['getByRole']>[0]

/** The way a person works: with the mouse, or with the keyboard alone. Typing is the same. */
export interface Hand {
  readonly kind: 'mouse' | 'keyboard'
  open(page: string): Promise<void>
  /** Presses a button, link, checkbox or summary. */
  press(target: Locator): Promise<void>
  /** Fills in a field, in place of what it holds. */
  fill(field: Locator, text: string): Promise<void>
  choose(field: Locator, option: string): Promise<void>
}

const MOST_TABS = 400

export function mouse(page: Page): Hand {
  return {
    kind: 'mouse',
    async open(name) {
      const nav = page.getByRole('navigation', { name: 'Pages' })
      const link = nav.getByRole('link', { name, exact: true })
      const closed = nav.locator('h2 button[aria-expanded=false]')
      while ((await closed.count()) > 0) await closed.first().click()
      await link.click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      await settled(page)
    },
    press: (target) => target.click(),
    async fill(field, text) {
      await field.click({ clickCount: 3 })
      await page.keyboard.press('Delete')
      await page.keyboard.type(text)
    },
    async choose(field, option) {
      await field.selectOption({ label: option })
    },
  }
}

export function keyboard(page: Page): Hand {
  const hasFocus = (target: Locator): Promise<boolean> => target.evaluate((element) => element.matches(':focus'))
  /** A target that Tab does not reach cannot be used without a mouse. */
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor({ state: 'attached' })
    for (let tab = 0; tab < MOST_TABS; tab++) {
      if (await hasFocus(target)) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`Tab does not reach ${target}`)
  }
  return {
    kind: 'keyboard',
    async open(name) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Page or action' }).waitFor()
      await page.keyboard.type(name)
      await page
        .getByRole('option', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor()
      const chosen = page.locator('[role=option][aria-selected=true]')
      for (let step = 0; step < 20 && (await chosen.locator('span').first().textContent()) !== name; step++)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      await settled(page)
    },
    async press(target) {
      await reach(target)
      await page.keyboard.press((await target.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter')
    },
    async fill(field, text) {
      await reach(field)
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await page.keyboard.type(text)
    },
    async choose(field, option) {
      await reach(field)
      await page.keyboard.type(option)
    },
  }
}

/** Targets of a job, by their roles and names. */
export function seen(page: Page) {
  const within = (place: Page | Locator) => ({
    one: (role: Role, name: string | RegExp) => place.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).first(),
    menu: (name: string | RegExp) => place.locator('summary').and(place.getByLabel(name)).first(),
    field: (name: string | RegExp) => place.getByLabel(name).first(),
    text: (text: string | RegExp) => place.getByText(text).first(),
  })
  return {
    ...within(page),
    dialog: within(page.getByRole('dialog')),
    panel: (name: string | RegExp) => within(page.getByRole('region', { name }).first()),
  }
}
