import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0007-a-child-run-has-its-own-log.md
var __pageData = JSON.parse("{\"title\":\"7. A child run has its own log, a hand-over does not\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0007-a-child-run-has-its-own-log.md\",\"filePath\":\"decisions/0007-a-child-run-has-its-own-log.md\"}");
var _sfc_main = { name: "decisions/0007-a-child-run-has-its-own-log.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="7-a-child-run-has-its-own-log-a-hand-over-does-not" tabindex="-1">7. A child run has its own log, a hand-over does not <a class="header-anchor" href="#7-a-child-run-has-its-own-log-a-hand-over-does-not" aria-label="Permalink to “7. A child run has its own log, a hand-over does not”">​</a></h1><p><strong>Context.</strong> Agents cooperate in two ways: one does a task for another and returns a result, or the conversation itself moves to another agent. The first in the caller&#39;s log would mix two conversations and prompts. The second in its own log would split the conversation.</p><p><strong>Decision.</strong> <code>agentTool</code>, <code>inOwnRun</code> and <code>runChild</code> start a child run with the id <code>&lt;parent&gt;/&lt;key&gt;</code> in the same journal. The top run asks its questions and counts its tokens; stopping or resuming the parent does the same to the child. <code>route</code>, and agents as graph nodes, work on the run itself, in a derived context with another <code>agent</code> and the same log.</p><p><strong>Consequences.</strong> A log is always one conversation. The depth of child runs is limited. Without a journal the child logs are notes in the parent, so its state is still all there is to save. Deleting a run deletes its child runs, whose ids begin with its own.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0007-a-child-run-has-its-own-log.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0007_a_child_run_has_its_own_log_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0007_a_child_run_has_its_own_log_default as default };
