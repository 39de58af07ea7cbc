import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0004-steps-look-at-the-state.md
var __pageData = JSON.parse("{\"title\":\"4. Steps look at the state\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0004-steps-look-at-the-state.md\",\"filePath\":\"decisions/0004-steps-look-at-the-state.md\"}");
var _sfc_main = { name: "decisions/0004-steps-look-at-the-state.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="4-steps-look-at-the-state" tabindex="-1">4. Steps look at the state <a class="header-anchor" href="#4-steps-look-at-the-state" aria-label="Permalink to “4. Steps look at the state”">​</a></h1><p><strong>Context.</strong> To resume after a crash, an engine either stores a program counter, or replays user code against a journal and requires determinism. Both break when the agent&#39;s code changes in between.</p><p><strong>Decision.</strong> A step does not remember where it was. <code>think</code> returns immediately while calls are open; <code>act</code> returns immediately when none are; a stop rule looks at the latest turn. The backend runs again and again until it signals. What must not happen twice is written to the log (<code>once</code>, <code>ask</code>) under a stable key.</p><p><strong>Consequences.</strong> Resuming is the same loop; there is no second way in. The agent&#39;s code may change between crash and resume. A pass without an event fails as <code>stalled</code> instead of spinning. Steps must be cheap when there is nothing to do.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0004-steps-look-at-the-state.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0004_steps_look_at_the_state_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0004_steps_look_at_the_state_default as default };
