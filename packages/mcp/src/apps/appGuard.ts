/**
 * Runs in the page of an app before its own HTML, and takes away WebRTC, which no policy of Chromium limits. A frame of the
 * app without an address of its own would have it again, so such frames are removed before their scripts run: also in
 * shadow trees, for which the ways to create one that no script can look into are taken away. An app may replace any method
 * afterwards, so none is looked up later.
 */
const script = `(() => {
'use strict'
const { apply, deleteProperty } = Reflect
const { getAttribute, hasAttribute, remove, attachShadow } = Element.prototype
const { item } = NodeList.prototype
const { observe } = MutationObserver.prototype
const { startsWith } = String.prototype
const Observer = MutationObserver
const take = (owner, pattern) => {
  for (const name of Object.getOwnPropertyNames(owner)) if (pattern.test(name)) deleteProperty(owner, name)
}
take(window, /^(webkit|moz)?RTC|^WebTransport/)
for (const owner of [Document, Element.prototype, ShadowRoot.prototype]) take(owner, /HTMLUnsafe$/)
take(Document.prototype, /^write(ln)?$/)
const watch = (root, { querySelectorAll }) => {
  const clear = () => {
    const frames = apply(querySelectorAll, root, ['iframe,frame'])
    for (let at = 0, frame; (frame = apply(item, frames, [at])); at++) {
      const src = apply(getAttribute, frame, ['src'])
      const isOfServer = src === null || src === 'about:blank' || apply(startsWith, src, ['http'])
      if (apply(hasAttribute, frame, ['srcdoc']) || !isOfServer) apply(remove, frame, [])
    }
  }
  const what = { __proto__: null, subtree: true, childList: true, attributes: true }
  apply(observe, new Observer(clear), [root, what])
  return root
}
watch(document, Document.prototype)
const { prototype: fragment } = DocumentFragment
Element.prototype.attachShadow = function (options) {
  return watch(apply(attachShadow, this, [{ ...options, clonable: false }]), fragment)
}
document.currentScript.remove()
})()`

/** Returns the HTML of an app behind the guard. Its markup creates no shadow trees, which the guard could not look into. */
export const guarded = (html: string): string =>
  `<script>${script}</script>${html.replace(/shadowroot(?=mode)/gi, 'no-shadowroot')}`
