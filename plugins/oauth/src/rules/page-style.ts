/** Style of the consent page, in the colours of the dashboard. */
export const style = `:root { color-scheme: light dark; --ink: light-dark(#1c1f24, #e8eaed); --ground: light-dark(#f6f7f9, #121417); --card: light-dark(#fff, #1b1e23); --line: light-dark(#d9dde3, #343a43); --accent: light-dark(#2457d6, #7ea2ff); --bad: light-dark(#b3261e, #ff8a80) }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { width: min(32rem, 100% - 2rem); margin: 2rem 0; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
h1 { margin: 0 0 1rem; font-size: 1.25rem }
label { display: block; margin: .35rem 0 }
input:not([type=checkbox]) { width: 100%; padding: .5rem .6rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 8px }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0 }
dd { margin: 0; overflow-wrap: anywhere }
fieldset { margin: 1rem 0; border: 1px solid var(--line); border-radius: 8px }
button { margin-top: .75rem; padding: .55rem 1rem; font: inherit; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--card); cursor: pointer }
button.plain { background: transparent; color: var(--ink); border-color: var(--line) }
.actions { display: flex; gap: .75rem }
#fault { color: var(--bad) }
[hidden] { display: none }
`
