import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0002-one-log.md
var __pageData = JSON.parse("{\"title\":\"2. One log\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0002-one-log.md\",\"filePath\":\"decisions/0002-one-log.md\"}");
var _sfc_main = { name: "decisions/0002-one-log.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="2-one-log" tabindex="-1">2. One log <a class="header-anchor" href="#2-one-log" aria-label="Permalink to “2. One log”">​</a></h1><p><strong>Context.</strong> Saving, streaming, debugging, resuming and rendering each tend to grow their own format. The converters between them cost time and disagree in the corners.</p><p><strong>Decision.</strong> Everything that happens is a plain JSON event of a closed union, with a gapless <code>seq</code>. <code>reduce</code> computes the state. Deltas, preliminary outputs and retries are live events, not persisted, since the finished turn replaces them. The history that the model receives is part of the state; each entry is converted once.</p><p><strong>Consequences.</strong> A journal is an append-only list, about 250 bytes per iteration. A snapshot is <code>JSON.stringify(state)</code>. A follower elsewhere runs <code>reduce</code> over what it receives. A new kind of event changes the format, and the compiler shows every <code>switch</code> that it affects. The state contains no functions, dates or classes.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0002-one-log.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0002_one_log_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0002_one_log_default as default };
