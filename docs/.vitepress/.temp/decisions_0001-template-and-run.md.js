import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0001-template-and-run.md
var __pageData = JSON.parse("{\"title\":\"1. An agent is a template, a run is one execution\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0001-template-and-run.md\",\"filePath\":\"decisions/0001-template-and-run.md\"}");
var _sfc_main = { name: "decisions/0001-template-and-run.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="1-an-agent-is-a-template-a-run-is-one-execution" tabindex="-1">1. An agent is a template, a run is one execution <a class="header-anchor" href="#1-an-agent-is-a-template-a-run-is-one-execution" aria-label="Permalink to “1. An agent is a template, a run is one execution”">​</a></h1><p><strong>Context.</strong> If an agent object holds the state of its run, it serves one caller at a time or mixes several, and it is unclear which settings may change during a run.</p><p><strong>Decision.</strong> <code>agent()</code> returns a frozen value: models, tools, instructions, backend. <code>start</code> and <code>resume</code> create an execution with its own log. A step stores what it must remember in the log, and caches the rest per run, weakly.</p><p><strong>Consequences.</strong> Runs of one agent execute concurrently without locks. Invalid options throw when the agent is created. A setting for one run is an option of <code>start</code>, or a function of the state, such as <code>instructions</code>.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0001-template-and-run.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0001_template_and_run_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0001_template_and_run_default as default };
