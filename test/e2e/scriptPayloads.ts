const run = '__xss=1'

/** Elements that run something as soon as they are in a page. */
const elements = [
  `<script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<body onload=${run}>`,
  `<iframe src="javascript:parent.${run}"></iframe>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<input autofocus onfocus=${run}>`,
  `<details open ontoggle=${run}>x</details>`,
  `<video><source onerror=${run}></video>`,
  `<audio src=x onerror=${run}></audio>`,
  `<object data="javascript:${run}"></object>`,
  `<embed src="javascript:${run}">`,
  `<math><mtext><img src=x onerror=${run}></mtext></math>`,
  `<template><img src=x onerror=${run}></template>`,
  `<marquee onstart=${run}>x</marquee>`,
  `<style>*{animation:x}@keyframes x{}</style><p onanimationstart=${run}>x</p>`,
  `<form action="javascript:${run}"><button autofocus onfocus=${run}>x</button></form>`,
  `<a href="javascript:${run}">x</a>`,
  `<base href="javascript:${run}//">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  `<link rel=stylesheet href="data:text/css,*{x:expression(${run})}">`,
  `<div style="x:expression(${run});background:url(javascript:${run})">x</div>`,
  `<table background="javascript:${run}"><tr><td>x</td></tr></table>`,
]

/** Ways to write one so that a filter would not see it. */
const disguises: readonly ((html: string) => string)[] = [
  (html) => html,
  (html) => html.toUpperCase().replaceAll('__XSS', '__xss'),
  (html) => html.replace('<', '<\u0000').replace('on', 'o\u0000n'),
  (html) => `"><'>--></title></textarea></style></script>${html}`,
  (html) => html.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (html) => html.replaceAll(' ', '/').replace('>', '\n>'),
  (html) => `\`\`\`html\n${html}\n\`\`\``,
]

/** Addresses that run something when they are followed or loaded. */
const addresses = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `java\tscript:${run}`,
  `java\nscript:${run}`,
  ` javascript:${run}`,
  `\u0001javascript:${run}`,
  `javascript&colon;${run}`,
  `&#106;avascript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `data:text/html;base64,PHNjcmlwdD5fX3hzcz0xPC9zY3JpcHQ+`,
  `vbscript:${run}`,
  `blob:javascript:${run}`,
  `view-source:javascript:${run}`,
]
const links: readonly ((address: string) => string)[] = [
  (address) => `[x](${address})`,
  (address) => `[x](<${address}>)`,
  (address) => `![x](${address})`,
  (address) => `<${address}>`,
  (address) => `[x][r]\n\n[r]: ${address}`,
  (address) => address,
]

/** Texts that run something where a page takes them for anything but text. `__xss` is then there. */
export const scriptPayloads: readonly string[] = [
  ...elements.flatMap((html) => disguises.map((disguise) => disguise(html))),
  ...addresses.flatMap((address) => links.map((link) => link(address))),
  '{{constructor.constructor("__xss=1")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a payload.
  '${__xss=1}',
  '<%= __xss=1 %>',
  '{"__proto__":{"__xss":1}}',
  '{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=__xss=1>"}}',
]
