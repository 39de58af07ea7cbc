import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0010-what-is-shown-is-made-of-the-log.md
var __pageData = JSON.parse("{\"title\":\"10. Views are functions of the log\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0010-what-is-shown-is-made-of-the-log.md\",\"filePath\":\"decisions/0010-what-is-shown-is-made-of-the-log.md\"}");
var _sfc_main = { name: "decisions/0010-what-is-shown-is-made-of-the-log.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="10-views-are-functions-of-the-log" tabindex="-1">10. Views are functions of the log <a class="header-anchor" href="#10-views-are-functions-of-the-log" aria-label="Permalink to “10. Views are functions of the log”">​</a></h1><p><strong>Context.</strong> UIs need more than the state: the exact prompt of a turn, chat messages, a timeline, the page as it was at an event. Storing these would duplicate the log in another format; building them from live events would lose them with the page.</p><p><strong>Decision.</strong> They are functions of the log. <code>requestAt</code> gives the agent an earlier state; steps that look at the state compute the same request, and a host that executes nothing stops there. Chats (<code>messagesOf</code>, and the AI SDK&#39;s <code>uiMessageChunks</code>) are views of the log; streaming sends the difference of two views. The past is a read-only <code>Run</code> (<code>pastRun</code>), so every hook and panel can show it. What only a live observer knows, such as the time of the first token, is shown only there.</p><p><strong>Consequences.</strong> Nothing extra is persisted, and old runs can be inspected like new ones. The same events give the same view live, after a reload and in a fork; tests check every recorded log. A prompt is exact only if the agent&#39;s code has not changed; if it would no longer make the call, there is no prompt.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0010-what-is-shown-is-made-of-the-log.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0010_what_is_shown_is_made_of_the_log_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0010_what_is_shown_is_made_of_the_log_default as default };
