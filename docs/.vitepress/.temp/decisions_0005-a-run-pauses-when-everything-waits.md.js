import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0005-a-run-pauses-when-everything-waits.md
var __pageData = JSON.parse("{\"title\":\"5. A run pauses when everything waits\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0005-a-run-pauses-when-everything-waits.md\",\"filePath\":\"decisions/0005-a-run-pauses-when-everything-waits.md\"}");
var _sfc_main = { name: "decisions/0005-a-run-pauses-when-everything-waits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="5-a-run-pauses-when-everything-waits" tabindex="-1">5. A run pauses when everything waits <a class="header-anchor" href="#5-a-run-pauses-when-everything-waits" aria-label="Permalink to “5. A run pauses when everything waits”">​</a></h1><p><strong>Context.</strong> Questions come from tools that run concurrently, from steps and from approvals, several at a time. Ending the run at the first would cancel or delay the others; not ending it would leave the app without a signal.</p><p><strong>Decision.</strong> <code>ask</code> is a promise, so its caller simply waits. Each tool call is an activity. When every activity waits for a user, the run settles with <code>inputNeeded</code> and all open questions. A reply wakes its caller. After a reload there is no promise to wake: the loop runs again, tools that asked run from the top, and answered questions return immediately from the log.</p><p><strong>Consequences.</strong> Other calls finish while a user thinks. A tool that asks must be resumable; once it continues with a reply it may have acted, so its effect applies. A tool&#39;s timeout does not run while it waits.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0005-a-run-pauses-when-everything-waits.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0005_a_run_pauses_when_everything_waits_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0005_a_run_pauses_when_everything_waits_default as default };
