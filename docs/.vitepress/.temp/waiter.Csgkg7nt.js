import { a as agent, f as tool, i as useMessages, n as useReAct, r as SignalOutlet, t as scriptedModel, u as choice } from "./styles.5x80OyDp.js";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import * as z from "zod";
// live/waiter.tsx
var bookTable = tool({
	description: "Books a table in a restaurant.",
	inputSchema: z.object({ people: z.number() }),
	execute: async ({ people }, { ask }) => {
		return `Booked for ${people} at ${await ask(choice({
			prompt: "When?",
			options: ["18:00", "20:30"]
		}))}.`;
	}
});
var model = scriptedModel(({ prompt }) => {
	const booked = /Booked[^"]*/.exec(JSON.stringify(prompt.at(-1)))?.[0];
	return booked ? `${booked} (I am a demo model.)` : { calls: [{
		name: "bookTable",
		input: { people: 4 }
	}] };
});
var waiter = agent({
	name: "waiter",
	model,
	tools: { bookTable }
});
function App() {
	const { run, say, stop, isWorking } = useReAct(waiter);
	const messages = useMessages(run);
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		messages.map((message) => "text" in message && /* @__PURE__ */ jsx("p", { children: message.text }, message.key)),
		isWorking ? /* @__PURE__ */ jsx("button", {
			type: "button",
			onClick: () => stop(),
			children: "Stop"
		}) : /* @__PURE__ */ jsx("button", {
			type: "button",
			onClick: () => say("A table for four, please."),
			children: "Book a table"
		}),
		/* @__PURE__ */ jsx(SignalOutlet, { run })
	] });
}
export { App };
