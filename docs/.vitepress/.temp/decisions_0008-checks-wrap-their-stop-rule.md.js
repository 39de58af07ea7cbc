import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0008-checks-wrap-their-stop-rule.md
var __pageData = JSON.parse("{\"title\":\"8. Checks of an answer wrap its stop rule\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0008-checks-wrap-their-stop-rule.md\",\"filePath\":\"decisions/0008-checks-wrap-their-stop-rule.md\"}");
var _sfc_main = { name: "decisions/0008-checks-wrap-their-stop-rule.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="8-checks-of-an-answer-wrap-its-stop-rule" tabindex="-1">8. Checks of an answer wrap its stop rule <a class="header-anchor" href="#8-checks-of-an-answer-wrap-its-stop-rule" aria-label="Permalink to “8. Checks of an answer wrap its stop rule”">​</a></h1><p><strong>Context.</strong> The first signal ends a pass. So a step after a stop rule never sees the answer, and a step before it is too early. Validation, output guards and postprocessing need the answer.</p><p><strong>Decision.</strong> They are functions from a step to a step: <code>validate(onText(), …)</code> is a stop rule, and they nest. Verdicts are noted with the turn, so an answer is checked once, also after a reload. <code>remember</code> and <code>retryCompacted</code> wrap a whole backend in the same way.</p><p><strong>Consequences.</strong> There is no second list of hooks, and the code shows the order. A wrapper passes on the tools and instructions of the wrapped step. If a run can also end elsewhere, such as in <code>enforce</code>, guard that too.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0008-checks-wrap-their-stop-rule.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0008_checks_wrap_their_stop_rule_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0008_checks_wrap_their_stop_rule_default as default };
