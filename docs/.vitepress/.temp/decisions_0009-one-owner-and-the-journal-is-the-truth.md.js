import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0009-one-owner-and-the-journal-is-the-truth.md
var __pageData = JSON.parse("{\"title\":\"9. One owner, and the journal is the source of truth\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0009-one-owner-and-the-journal-is-the-truth.md\",\"filePath\":\"decisions/0009-one-owner-and-the-journal-is-the-truth.md\"}");
var _sfc_main = { name: "decisions/0009-one-owner-and-the-journal-is-the-truth.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="9-one-owner-and-the-journal-is-the-source-of-truth" tabindex="-1">9. One owner, and the journal is the source of truth <a class="header-anchor" href="#9-one-owner-and-the-journal-is-the-source-of-truth" aria-label="Permalink to “9. One owner, and the journal is the source of truth”">​</a></h1><p><strong>Context.</strong> The same run is open in several tabs, in a worker and its page, or in a browser and on a server. Replicated data types could merge what each did, but a tool that was called twice cannot be merged. Sending the log between clients creates a second truth, which differs as soon as a tab dies during a write.</p><p><strong>Decision.</strong> A run executes on one host at a time. A lock chooses it (Web Locks in a browser). An epoch in the journal, compared in the transaction of each append, protects against a wrong lock. Everyone else has a mirror. Durable events come from the journal, or over a port that keeps their order. Live events come from the owner, each with the number of durable events before it. User actions in a mirror are commands: plain data that may be sent twice, since messages have keys and questions are answered once.</p><p><strong>Consequences.</strong> A mirror shows durable events a moment later. Only an owner can be ahead of the journal; one that loses the run discards what was not persisted (<code>rewound</code>). Taking over is resuming, so a crash, a reload, a closed tab and a frozen one are one case. <code>Run</code> is one type on every host, so hooks, observers and the recorder do not change.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0009-one-owner-and-the-journal-is-the-truth.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0009_one_owner_and_the_journal_is_the_truth_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0009_one_owner_and_the_journal_is_the_truth_default as default };
