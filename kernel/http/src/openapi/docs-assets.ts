/** Style and script of the reference page. They are inline, so that the page has no external part, and allowed by their hash. */

export const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent) }
* { box-sizing: border-box }
body { font: 15px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1.5rem }
h1 small { font-weight: normal; opacity: .6 }
h2 { margin-top: 2.5rem }
h3 { margin: 1rem 0 .25rem; font-size: .9rem; opacity: .7 }
code { font: 13px/1.5 ui-monospace, monospace }
table { width: 100%; border-collapse: collapse }
td { vertical-align: top; padding: .3rem .6rem; border-top: 1px solid var(--line); overflow-wrap: anywhere }
a { color: LinkText }
nav a { display: inline-block; margin: .5rem .75rem 0 0 }
#search { width: 100%; padding: .6rem .8rem; font: inherit; border: 1px solid var(--line); border-radius: 6px }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .5rem .75rem }
summary { cursor: pointer; overflow-wrap: anywhere }
summary span { opacity: .75; margin-left: .5rem }
summary b { display: inline-block; min-width: 4rem; font-size: .8rem }
.get { color: #2a7de1 } .post { color: #2e9e5b } .put, .patch { color: #b7791f } .delete { color: #d0443e }
.facts { opacity: .6; font-size: .85rem }
`

export const SCRIPT = `
const search = document.getElementById('search')
const cards = [...document.querySelectorAll('details')]
const sections = [...document.querySelectorAll('section')]
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  for (const card of cards) card.hidden = !words.every((word) => card.dataset.text.includes(word))
  for (const section of sections) section.hidden = words.length > 0 && !section.querySelector('details:not([hidden])')
  document.getElementById('none').hidden = sections.some((section) => !section.hidden)
})
`
