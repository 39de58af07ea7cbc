import { a as agent, f as tool, i as useMessages, n as useReAct, r as SignalOutlet, t as scriptedModel } from "./styles.5x80OyDp.js";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import * as z from "zod";
// live/approval.tsx
var pay = tool({
	description: "Pays an invoice.",
	inputSchema: z.object({
		invoice: z.string(),
		euros: z.number().positive()
	}),
	approve: ({ euros }) => euros > 100 && "This is a lot. Pay it?",
	execute: ({ invoice, euros }) => `Paid €${euros} for invoice ${invoice}.`
});
var model = scriptedModel(({ prompt }) => {
	const last = prompt.at(-1);
	if (last?.role === "user") return { calls: [{
		name: "pay",
		input: {
			invoice: "2026-118",
			euros: 950
		}
	}] };
	const [paid] = /Paid [^"]*/.exec(JSON.stringify(last)) ?? [];
	return paid ?? "I did not pay it.";
});
var clerk = agent({
	name: "clerk",
	model,
	tools: { pay }
});
function App() {
	const { run, say, isWorking } = useReAct(clerk);
	const messages = useMessages(run);
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		messages.map((message) => "text" in message && /* @__PURE__ */ jsx("p", { children: message.text }, message.key)),
		/* @__PURE__ */ jsx("button", {
			type: "button",
			disabled: isWorking,
			onClick: () => say("Pay invoice 2026-118."),
			children: "Pay the invoice"
		}),
		/* @__PURE__ */ jsx(SignalOutlet, { run })
	] });
}
export { App };
