import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// decisions/0003-the-core-calls-do-stream.md
var __pageData = JSON.parse("{\"title\":\"3. The core calls doStream itself\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0003-the-core-calls-do-stream.md\",\"filePath\":\"decisions/0003-the-core-calls-do-stream.md\"}");
var _sfc_main = { name: "decisions/0003-the-core-calls-do-stream.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="3-the-core-calls-dostream-itself" tabindex="-1">3. The core calls <code>doStream</code> itself <a class="header-anchor" href="#3-the-core-calls-dostream-itself" aria-label="Permalink to “3. The core calls doStream itself”">​</a></h1><p><strong>Context.</strong> The AI SDK&#39;s <code>streamText</code> and <code>ToolLoopAgent</code> pass each delta through about a dozen web-stream stages, reconvert the whole history for each step, and weigh over 100 kB gzipped. In Chromium one <code>TransformStream</code> stage costs about 5 µs per chunk. They end the run for an approval, and lose a stopped turn.</p><p><strong>Decision.</strong> The core depends on the interface <code>LanguageModelV4</code> (types only) and reads its stream with one reader into a synchronous reducer. Retries, fallback models, caps, prompt conversion, validation and tool execution are ours.</p><p><strong>Consequences.</strong> Every AI SDK provider and middleware works; <code>docs/benchmarks.md</code> has the figures. We follow changes of the interface ourselves. Tests compare our conversion with the AI SDK&#39;s on recorded conversations, and the reader with recorded provider streams, split at every byte.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0003-the-core-calls-do-stream.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0003_the_core_calls_do_stream_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0003_the_core_calls_do_stream_default as default };
