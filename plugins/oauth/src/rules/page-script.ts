/**
 * Script of the consent page. The page may have been opened from another site, so that the browser withholds the session's
 * cookie; the page's own requests carry it. Text is set as text, never as markup.
 */
export const script = `const el = (id) => document.getElementById(id)
const ABOUT = {
  read: 'Read what you can read',
  work: 'Work: create and change tasks, memory and the like',
  configure: 'Configure: change settings of the tenant',
  members: 'Members: manage keys and people',
  billing: 'Billing: see and change the plan',
}
const isDevice = location.pathname === '/oauth/device'
let asked = isDevice ? { userCode: new URLSearchParams(location.search).get('user_code') ?? '' } : { query: location.search.slice(1) }

function show(id) {
  for (const section of ['sign-in', 'device', 'consent', 'refused', 'done']) el(section).hidden = section !== id
}
function fail(message) {
  el('fault').textContent = message
  el('fault').hidden = message === ''
}
async function call(path, body, headers = {}) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    credentials: 'same-origin',
    redirect: 'error',
  })
  const answer = await response.json().catch(() => ({}))
  return { status: response.status, answer }
}

const UNTIL = {
  key: ', or the API key ends that you signed in with; it goes on when you sign out',
  membership: ', or your membership ends; it goes on when you sign out',
  session: ', or you sign out',
}

async function load() {
  if (isDevice && asked.userCode === '') return show('device')
  const { status, answer } = await call('/api/oauth/requests', asked)
  if (status === 401) return signIn()
  if (status !== 200) {
    fail(answer.error ?? answer.message ?? 'The request cannot be read.')
    return show(isDevice ? 'device' : 'done')
  }
  fail('')
  if (answer.refusal) return refuse(answer)
  el('client').textContent = answer.client.name
  el('client-id').textContent = answer.client.id
  el('redirect').textContent = answer.receiver ?? answer.userCode
  if (isDevice) el('redirect-term').textContent = 'Code'
  el('tenant').textContent = answer.tenantId
  el('who').textContent = answer.who
  el('role').textContent = answer.role
  el('days').textContent = answer.days + ' days, or until you end it under Connected clients' + (UNTIL[answer.endsWith] ?? '')
  el('scopes').replaceChildren(
    ...answer.scopes.map((scope) => {
      const label = document.createElement('label')
      const box = document.createElement('input')
      Object.assign(box, { type: 'checkbox', name: 'scope', value: scope, checked: true })
      label.append(box, ' ' + ABOUT[scope])
      return label
    }),
  )
  show('consent')
  await offerTenants(answer.tenantId)
}

// Anybody can make a client and a request that is refused: the page leaves for its address by a click alone.
function refuse({ client, receiver, refusal }) {
  el('refused-client').textContent = client.name
  el('reason').textContent = new URL(refusal).searchParams.get('error_description')
  el('receiver').textContent = receiver
  el('back').onclick = () => location.replace(refusal)
  show('refused')
}

// A person in several tenants decides for which one. Another one is entered by a sign-in, which returns to this request.
async function offerTenants(tenantId) {
  const response = await fetch('/oauth/tenants', { credentials: 'same-origin' })
  const { provider, tenants } = response.ok ? await response.json() : { tenants: [] }
  const several = tenants.length > 1
  el('tenant').hidden = several
  el('tenants').hidden = !several
  el('tenants').replaceChildren(
    ...tenants.map(({ tenantId: value, role }) => Object.assign(document.createElement('option'), { value, textContent: value + ', as ' + role })),
  )
  el('tenants').value = tenantId
  el('tenants').onchange = () => leaveFor(provider, el('tenants').value)
}

async function signIn() {
  show('sign-in')
  const response = await fetch('/oauth/providers')
  const { providers } = response.ok ? await response.json() : { providers: [] }
  el('providers').replaceChildren(
    ...providers.map(({ id, name }) => {
      const button = document.createElement('button')
      Object.assign(button, { type: 'button', className: 'plain', textContent: 'Sign in with ' + name })
      button.addEventListener('click', () => leaveFor(id))
      return button
    }),
  )
}
async function leaveFor(provider, tenant) {
  const response = await fetch('/oauth/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ provider, return_to: location.pathname + location.search, ...(tenant && { tenant }) }),
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) return fail(answer.error ?? 'The provider cannot be reached.')
  location.assign(answer.redirectTo)
}

async function decide(scopes) {
  const { status, answer } = await call('/api/oauth/consents', { ...asked, scopes })
  if (status !== 201) return fail(answer.error ?? answer.message ?? 'The decision could not be kept.')
  if (answer.redirectTo) return location.replace(answer.redirectTo)
  const response = await fetch('/oauth/device', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ approval: answer.approval }),
  })
  if (!response.ok) return fail('The device is not waiting any more.')
  el('done').textContent = scopes.length > 0 ? 'Access is given. You can close this page.' : 'The request is refused. You can close this page.'
  show('done')
}

el('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault()
  const key = el('key').value.trim()
  el('key').value = ''
  const { status, answer } = await call('/api/sign-in', {}, { 'x-api-key': key })
  if (status !== 201) return fail(answer.error ?? answer.message ?? 'The key is not valid.')
  fail('')
  await load()
})
el('device').addEventListener('submit', async (event) => {
  event.preventDefault()
  asked = { userCode: el('code').value }
  await load()
})
el('consent').addEventListener('submit', async (event) => {
  event.preventDefault()
  const scopes = [...document.querySelectorAll('input[name=scope]:checked')].map((box) => box.value)
  if (scopes.length === 0) return fail('Choose at least one, or refuse.')
  await decide(scopes)
})
el('deny').addEventListener('click', () => decide([]))
await load()
`
