import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0006-a-plan-for-each-pass.md
var __pageData = JSON.parse("{\"title\":\"6. A plan for each pass\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0006-a-plan-for-each-pass.md\",\"filePath\":\"decisions/0006-a-plan-for-each-pass.md\"}");
var _sfc_main = { name: "decisions/0006-a-plan-for-each-pass.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="6-a-plan-for-each-pass" tabindex="-1">6. A plan for each pass <a class="header-anchor" href="#6-a-plan-for-each-pass" aria-label="Permalink to “6. A plan for each pass”">​</a></h1><p><strong>Context.</strong> Many features change only the next turn: a tool that sets instructions or a model, a forced action, a last turn without tools, tools on demand, a message that waits for a guard. As options of <code>think</code> it would have to know them all; as events they would have to be undone.</p><p><strong>Decision.</strong> A step before <code>think</code> calls <code>run.replan(change)</code>, and <code>think</code> reads <code>run.plan</code>. Changes accumulate: later ones override earlier ones, and tool lists only narrow. A plan lasts one pass and is not in the log; the step decides from the state, so it decides the same after a reload.</p><p><strong>Consequences.</strong> <code>think</code> knows plans and none of the features. A step that plans must depend only on the state. To see a past plan, replay the log with the same steps.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0006-a-plan-for-each-pass.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0006_a_plan_for_each_pass_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0006_a_plan_for_each_pass_default as default };
