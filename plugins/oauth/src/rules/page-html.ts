/** The consent page. Each section is shown when its step comes. */
export const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Give access · Gateway</title>
<link rel="stylesheet" href="/oauth/page.css">
<script type="module" src="/oauth/page.js"></script>
</head>
<body>
<main>
<h1 id="title">Give access</h1>
<p id="fault" role="alert" hidden></p>
<form id="sign-in" hidden>
<div id="providers"></div>
<p>Sign in to decide about this request. The key is sent to this gateway alone, and is not given to the client.</p>
<label for="key">API key</label>
<input id="key" type="password" autocomplete="off" required>
<button type="submit">Sign in</button>
</form>
<form id="device" hidden>
<p>Enter the code that your terminal or device shows. Go on only if you started this yourself.</p>
<label for="code">Code</label>
<input id="code" autocomplete="off" autocapitalize="characters" maxlength="12" required>
<button type="submit">Continue</button>
</form>
<form id="consent" hidden>
<p><strong id="client"></strong> asks for access to this gateway.</p>
<dl>
<dt>Client</dt><dd id="client-id"></dd>
<dt id="redirect-term">Result goes to</dt><dd id="redirect"></dd>
<dt>Tenant</dt><dd><span id="tenant"></span> <select id="tenants" aria-label="Tenant" hidden></select></dd>
<dt>In the name of</dt><dd id="who"></dd>
<dt>Role</dt><dd id="role"></dd>
<dt>Valid for</dt><dd id="days"></dd>
</dl>
<fieldset><legend>The client may</legend><div id="scopes"></div></fieldset>
<div class="actions">
<button type="submit" id="allow">Allow</button>
<button type="button" id="deny" class="plain">Refuse</button>
</div>
</form>
<div id="refused" hidden>
<p><strong id="refused-client"></strong> asked in a way that this gateway refuses: <span id="reason"></span></p>
<p>Its result goes to <span id="receiver"></span>. Go back only if you know it.</p>
<button type="button" id="back" class="plain">Back to the client</button>
</div>
<p id="done" role="status" hidden></p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
</body>
</html>
`
