import { C as isAgentError, S as AgentError, T as messageOf, _ as checkRunId, a as agent, b as isObject, c as readLog, d as confirm, f as tool, g as checkKey, h as assertOption, i as useMessages, l as toJournalError, m as importedRest, n as useReAct, o as fold, p as noUsage, r as SignalOutlet, s as isJournalError, t as scriptedModel, u as choice, v as isId, w as isConflict, x as problemInData, y as canonicalJson } from "./styles.5x80OyDp.js";
import { useEffect, useState } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import * as z from "zod";
// ../packages/core/src/validate/shape.ts
var isData = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var when = /* @__NO_SIDE_EFFECTS__ */ (fits) => (value) => fits(value) ? void 0 : "";
var text = /* @__PURE__ */ when((value) => typeof value === "string");
var data = /* @__PURE__ */ when(isData);
/** JSON of any kind. */
var json = /* @__PURE__ */ when((value) => value !== void 0);
var count = /* @__PURE__ */ when((value) => Number.isSafeInteger(value) && value >= 0);
/** Milliseconds since the epoch that are a date. */
var time = /* @__PURE__ */ when((value) => typeof value === "number" && value >= 0 && value <= maxDate);
var maxDate = 864e13;
/** An id that can be a key, a part of an address and of a file: well-formed Unicode of some length. */
var id = /* @__PURE__ */ when((value) => typeof value === "string" && isId(value));
/** A number from a provider or a clock. JSON has no form for NaN. */
var amount = /* @__PURE__ */ when((value) => typeof value === "number" || value === null);
var oneOf = /* @__NO_SIDE_EFFECTS__ */ (...values) => /* @__PURE__ */ when((value) => values.includes(value));
var maybe = /* @__NO_SIDE_EFFECTS__ */ (shape) => (value) => value === void 0 ? void 0 : shape(value);
var either = /* @__NO_SIDE_EFFECTS__ */ (first, second) => (value) => first(value) === void 0 ? void 0 : second(value);
var listOf = /* @__NO_SIDE_EFFECTS__ */ (item, least = 0) => (value) => {
	if (!Array.isArray(value) || value.length < least) return "";
	for (let index = 0; index < value.length; index++) {
		const wrong = item(value[index]);
		if (wrong !== void 0) return below(index, wrong);
	}
};
/** Members by name. Others may be there too: a later version may have added them. */
/* @__NO_SIDE_EFFECTS__ */
function shapeOf(members) {
	const entries = Object.entries(members);
	return (value) => {
		if (!isData(value)) return "";
		for (const [key, member] of entries) {
			const wrong = member(Object.hasOwn(value, key) ? value[key] : void 0);
			if (wrong !== void 0) return below(key, wrong);
		}
	};
}
/** Validates one of several shapes, distinguished by a member. */
var byName = /* @__NO_SIDE_EFFECTS__ */ (name, shapes) => (value) => {
	if (!isData(value)) return "";
	const kind = value[name];
	return typeof kind === "string" && Object.hasOwn(shapes, kind) ? shapes[kind]?.(value) : name;
};
var below = (key, way) => way ? `${key}.${way}` : `${key}`;
// ../packages/core/src/validate/shapes.ts
/** The members of the run's origin. */
var origin = {
	runId: id,
	agent: text,
	version: text,
	parent: /* @__PURE__ */ maybe(/* @__PURE__ */ shapeOf({
		runId: id,
		key: text,
		depth: count
	})),
	exposeReasoning: /* @__PURE__ */ maybe(/* @__PURE__ */ oneOf(false))
};
var nothing = /* @__PURE__ */ shapeOf({});
var words = /* @__PURE__ */ shapeOf({ text });
var yes = /* @__PURE__ */ maybe(/* @__PURE__ */ oneOf(true));
var parts = /* @__PURE__ */ listOf(/* @__PURE__ */ byName("type", {
	text: words,
	file: /* @__PURE__ */ shapeOf({ data: /* @__PURE__ */ byName("type", {
		data: /* @__PURE__ */ shapeOf({ data: text }),
		url: /* @__PURE__ */ shapeOf({ url: text }),
		reference: /* @__PURE__ */ shapeOf({ reference: data }),
		text: words
	}) }),
	custom: nothing
}));
var content = /* @__PURE__ */ either(text, parts);
var usage = /* @__PURE__ */ shapeOf(Object.fromEntries(Object.keys(noUsage).map((part) => [part, amount])));
var failure$1 = /* @__PURE__ */ shapeOf({
	code: text,
	message: text
});
var textValue = /* @__PURE__ */ shapeOf({ value: text });
var jsonValue = /* @__PURE__ */ shapeOf({ value: json });
/** A call's result for the model. */
var result = /* @__PURE__ */ byName("type", {
	text: textValue,
	"error-text": textValue,
	json: jsonValue,
	"error-json": jsonValue,
	"execution-denied": nothing,
	content: /* @__PURE__ */ shapeOf({ value: parts })
});
var messages = /* @__PURE__ */ listOf(/* @__PURE__ */ byName("role", {
	system: /* @__PURE__ */ shapeOf({ content: text }),
	user: /* @__PURE__ */ shapeOf({ content: parts }),
	assistant: /* @__PURE__ */ shapeOf({ content: /* @__PURE__ */ listOf(/* @__PURE__ */ shapeOf({ type: text })) }),
	tool: /* @__PURE__ */ shapeOf({ content: /* @__PURE__ */ listOf(/* @__PURE__ */ byName("type", {
		"tool-result": /* @__PURE__ */ shapeOf({ output: result }),
		"tool-approval-response": nothing
	})) })
}));
var provided = {
	toolCallId: text,
	toolName: text
};
/** A part of a turn. */
var part = /* @__PURE__ */ byName("type", {
	text: words,
	reasoning: words,
	file: nothing,
	"reasoning-file": nothing,
	custom: nothing,
	source: nothing,
	"tool-call": /* @__PURE__ */ shapeOf({
		...provided,
		input: json,
		invalid: /* @__PURE__ */ maybe(text)
	}),
	"tool-result": /* @__PURE__ */ shapeOf(provided),
	"tool-approval-request": /* @__PURE__ */ shapeOf({
		approvalId: text,
		toolCallId: text
	})
});
var options = /* @__PURE__ */ listOf(/* @__PURE__ */ shapeOf({
	value: text,
	label: text
}));
var from = /* @__PURE__ */ maybe(/* @__PURE__ */ shapeOf({
	runId: text,
	agent: text
}));
var question = (members = {}) => /* @__PURE__ */ shapeOf({
	id: text,
	prompt: text,
	call: /* @__PURE__ */ maybe(text),
	from,
	asker: /* @__PURE__ */ maybe(text),
	declinable: yes,
	...members
});
var limited = {
	limit: text,
	used: amount,
	allowed: amount
};
var extension = question({
	...limited,
	suggested: amount
});
var approval = question({
	tool: text,
	input: json,
	schema: data,
	pure: yes,
	description: /* @__PURE__ */ maybe(text),
	allow: /* @__PURE__ */ maybe(/* @__PURE__ */ oneOf("once", "input")),
	allowBy: /* @__PURE__ */ maybe(/* @__PURE__ */ listOf(text))
});
var ask = /* @__PURE__ */ byName("kind", {
	choice: question({
		options,
		pageFor: /* @__PURE__ */ maybe(text)
	}),
	choices: question({
		options,
		min: amount,
		max: amount
	}),
	confirm: question(),
	text: question(),
	form: question({ schema: data }),
	link: question({ url: text }),
	approval,
	extension
});
/** The replies that the state depends on. Other replies are validated by the code that asked. */
var extensionReply = /* @__PURE__ */ either(/* @__PURE__ */ shapeOf({ finish: /* @__PURE__ */ oneOf(true) }), /* @__PURE__ */ shapeOf({ extend: amount }));
var signal = /* @__PURE__ */ byName("type", {
	answer: /* @__PURE__ */ shapeOf({ reason: text }),
	inputNeeded: /* @__PURE__ */ shapeOf({ asks: /* @__PURE__ */ listOf(ask, 1) }),
	limitReached: /* @__PURE__ */ shapeOf({
		...limited,
		ask: extension
	}),
	failed: /* @__PURE__ */ shapeOf({ error: failure$1 }),
	stopped: /* @__PURE__ */ shapeOf({
		reason: text,
		cause: /* @__PURE__ */ maybe(/* @__PURE__ */ oneOf("imported"))
	})
});
var model$1 = /* @__PURE__ */ shapeOf({
	provider: text,
	modelId: text
});
/** The result and error of a call, if present. */
var outcome = {
	result: /* @__PURE__ */ maybe(result),
	error: /* @__PURE__ */ maybe(failure$1),
	final: yes,
	resumes: yes
};
var said = {
	by: /* @__PURE__ */ oneOf("user", "agent"),
	content,
	key: /* @__PURE__ */ maybe(text),
	replaces: /* @__PURE__ */ maybe(count)
};
var drafted = /* @__PURE__ */ shapeOf({
	text,
	reasoning: text
});
var thought = {
	model: model$1,
	parts: /* @__PURE__ */ listOf(part),
	usage,
	ms: amount,
	finish: /* @__PURE__ */ maybe(data),
	warnings: /* @__PURE__ */ maybe(/* @__PURE__ */ listOf(json)),
	providerMetadata: /* @__PURE__ */ maybe(data),
	error: /* @__PURE__ */ maybe(failure$1)
};
var call = { call: text };
/** Every event, but for its stamp. */
var event = /* @__PURE__ */ byName("type", {
	started: /* @__PURE__ */ shapeOf({
		...origin,
		forkedFrom: /* @__PURE__ */ maybe(/* @__PURE__ */ shapeOf({
			runId: text,
			seq: count,
			alone: yes
		}))
	}),
	seeded: /* @__PURE__ */ shapeOf({ messages }),
	said: /* @__PURE__ */ shapeOf(said),
	drafted,
	thought: /* @__PURE__ */ shapeOf({
		...thought,
		heard: count
	}),
	called: /* @__PURE__ */ shapeOf({
		...call,
		...outcome
	}),
	observed: /* @__PURE__ */ shapeOf({
		...call,
		...outcome,
		result,
		ms: amount
	}),
	amended: /* @__PURE__ */ shapeOf({
		...outcome,
		of: /* @__PURE__ */ either(count, text),
		reason: text,
		content: /* @__PURE__ */ maybe(content)
	}),
	asked: /* @__PURE__ */ shapeOf({ ask }),
	replied: /* @__PURE__ */ shapeOf({
		ask: text,
		value: json,
		taken: yes
	}),
	withdrawn: /* @__PURE__ */ shapeOf({ ask: text }),
	allowed: /* @__PURE__ */ shapeOf({
		ask: approval,
		by: text
	}),
	disallowed: /* @__PURE__ */ shapeOf({ id: text }),
	compacted: /* @__PURE__ */ shapeOf({
		messages,
		keep: count,
		usage: /* @__PURE__ */ maybe(usage)
	}),
	noted: /* @__PURE__ */ shapeOf({
		key: text,
		value: json,
		call: /* @__PURE__ */ maybe(text),
		usage: /* @__PURE__ */ maybe(usage)
	}),
	resumed: nothing,
	imported: nothing,
	rested: /* @__PURE__ */ shapeOf({ signal })
});
({ ...outcome });
({ ...said }), { ...thought };
var used = {
	iteration: count,
	toolCalls: count,
	usage,
	startedAt: time
};
({
	...origin,
	...used
}), { ...used };
// ../packages/core/src/validate/validate.ts
/**
* Validates a foreign log for this version: complete from its first event, each event valid, and nothing harmful in it.
* Throws `log_invalid`, and names the invalid event and member.
*/
function checkLog(data, { runId } = {}) {
	const asError = (why) => {
		const whose = runId === void 0 ? "This log" : `The log of run "${runId}"`;
		return new AgentError("log_invalid", `${whose} cannot be used: ${why}. Take it from a copy, or begin a new run.`);
	};
	if (!Array.isArray(data) || data.length === 0) throw asError("it has no events");
	const first = Object(data[0]);
	if (first.seq !== 0 || first.type !== "started") throw asError("it does not begin with the start of a run");
	if (runId !== void 0 && first.runId !== runId) throw asError(`it is of run ${JSON.stringify(first.runId)}`);
	const format = readFormat(first.format);
	if (typeof format === "string") throw asError(format);
	const wild = problemInData(data);
	if (wild) throw asError(wild);
	const events = migrate(data, format);
	const problemWith = createReader();
	for (const [seq, event] of events.entries()) {
		const wrong = problemWith(event, seq);
		if (wrong) throw asError(`event ${seq} ${wrong}`);
	}
	return events;
}
/** Returns a function that validates the events of one log in order. Valid events depend on earlier ones. */
function createReader() {
	const extensions = /* @__PURE__ */ new Set();
	let iteration = 0;
	return (data, seq) => {
		const wrong = problemInEvent(data, seq);
		if (wrong) return wrong;
		const event = data;
		if (event.type === "started" && seq > 0) return "is a second start";
		if (event.type === "thought") iteration++;
		if (event.iteration !== iteration) return `is of iteration ${event.iteration}, and ${iteration} is the one at hand`;
		if (event.type === "asked" && event.ask.kind === "extension") extensions.add(event.ask.id);
		if (event.type === "replied" && extensions.has(event.ask) && extensionReply(event.value) !== void 0) return "has a \"value\" that does not fit its question";
	};
}
var stamp = /* @__PURE__ */ shapeOf({
	seq: count,
	at: time,
	iteration: count
});
/** Returns what is wrong with the event of this `seq`, without looking at earlier events. */
function problemInEvent(data, seq) {
	const wrong = stamp(data) ?? event(data);
	if (wrong !== void 0) return wrong ? `has a wrong or missing "${wrong}"` : "is not an event";
	const { seq: is } = data;
	return is === seq ? void 0 : `has the seq ${is}: one is missing, or they are out of order`;
}
/** The first is for format 1. They are added at the end, and never changed. */
var migrations = [];
/** The events as this version writes them. */
function migrate(events, format, all = migrations) {
	const steps = all.slice(format - 1);
	return steps.length === 0 ? events : events.map((event) => steps.reduce((older, next) => next.event(older), event));
}
/** Which format it is, or what is wrong with it. */
function readFormat(format = 1, newest = 1) {
	if (typeof format !== "number" || !Number.isInteger(format) || format < 1) return "its format is not a number from 1";
	if (format <= newest) return format;
	return `it is of format ${format}, and this version reads up to ${newest}. Update @interleave/core`;
}
// ../packages/core/src/journal/indexedDb/channel.ts
var nameOf = (database) => `interleave/journal/${database}`;
/** Notifies watchers of this database, in this page, other tabs and workers, that its list has changed. */
function tellChange(database) {
	if (typeof BroadcastChannel === "undefined") return;
	const channel = new BroadcastChannel(nameOf(database));
	channel.postMessage("changed");
	channel.close();
}
/** Calls the listener when the list of this database looks different. Returns a function that ends this. */
function watchChanges(database, listener) {
	if (typeof BroadcastChannel === "undefined") return () => {};
	const { close } = openChannel(nameOf(database), {
		hear: listener,
		onAway() {},
		onBack: listener
	});
	return close;
}
/**
* A page that goes into the back/forward cache with an open channel is thrown out of it by the first message. So the channel
* is closed then.
*/
function openChannel(name, { hear, onAway, onBack }) {
	let channel;
	const open = () => {
		channel ??= new BroadcastChannel(name);
		channel.onmessage = ({ data }) => hear(data);
	};
	const shut = () => {
		channel?.close();
		channel = void 0;
	};
	const leave = () => {
		onAway();
		shut();
	};
	const comeBack = () => {
		if (channel) return;
		open();
		onBack();
	};
	const page = new AbortController();
	const { signal } = page;
	if (typeof addEventListener === "function") {
		addEventListener("pagehide", leave, { signal });
		addEventListener("pageshow", comeBack, { signal });
	}
	open();
	return {
		post: (data) => channel?.postMessage(data),
		close() {
			page.abort();
			shut();
		}
	};
}
// ../packages/core/src/log/attempts.ts
var noteOf = ({ key }) => `retries/${key}`;
/** Returns the attempts at this turn in the log. The agent may have fewer models since. */
function attemptsOf({ state }, turn) {
	const noted = state.notes[noteOf(turn)];
	if (!isAttempts(noted)) return void 0;
	return noted.index < turn.models.length ? noted : {
		index: 0,
		attempt: 0,
		spent: noted.spent
	};
}
/** A step may have written another note under this key. */
function isAttempts(noted) {
	if (!isObject(noted)) return false;
	const { index, attempt, spent } = noted;
	return isCount(index) && isCount(attempt) && isObject(spent) && Object.keys(noUsage).every((key) => isNumber(spent[key]));
}
var isNumber = (value) => typeof value === "number" || value === null;
var isCount = (value) => Number.isSafeInteger(value) && value >= 0;
/** Persists the attempts before a retry, so that a reloaded page has no more attempts than one that stays. */
async function noteAttempts(run, turn, attempts) {
	if (!turn.tell) return;
	run.emit({
		type: "noted",
		key: noteOf(turn),
		value: {
			...attempts,
			spent: { ...attempts.spent }
		}
	});
	await run.durable();
}
// ../packages/core/src/log/drafts.ts
/** The number of characters of the first draft; another follows each time the text doubles. */
var firstKept = 1e3;
/** The delay of the first draft; it doubles each time. Few turns take that long. */
var firstWaitMs = 5e3;
/** Writes drafts of one turn: as it grows, over time, and when the host may disappear. */
var DraftKeeper = class {
	#run;
	#stay;
	/** Characters so far, and those of the last draft. */
	#size = 0;
	#kept = 0;
	#nextSize = firstKept;
	#waitMs = firstWaitMs;
	/** The next delta writes a draft, because the last one is old. */
	#isDue = false;
	#cancelWait = void 0;
	constructor(run) {
		this.#run = run;
		this.#stay = run.host.onLeave?.(() => this.#keep());
	}
	/** Creates the receiver of one attempt's deltas, besides the given one. Discards the draft of the previous attempt. */
	attempt(tell) {
		this.#cancelWait?.();
		this.#cancelWait = void 0;
		this.#size = 0;
		this.#kept = 0;
		this.#nextSize = firstKept;
		this.#waitMs = firstWaitMs;
		this.#isDue = false;
		if (this.#run.state.drafted) this.#run.emit({
			type: "drafted",
			text: "",
			reasoning: ""
		});
		return (delta) => {
			tell(delta);
			if (delta.kind !== "input") this.#grow(delta.delta.length);
		};
	}
	/** Stops writing drafts. Call it before the turn is emitted. */
	end() {
		this.#cancelWait?.();
		this.#stay?.();
	}
	#grow(characters) {
		this.#size += characters;
		if (!this.#cancelWait) this.#wait();
		if (!this.#isDue && this.#size < this.#nextSize) return;
		if (this.#isDue) {
			this.#isDue = false;
			this.#waitMs *= 2;
			this.#wait();
		}
		this.#keep();
	}
	#wait() {
		this.#cancelWait = this.#run.host.timer(this.#waitMs, () => {
			this.#isDue = true;
		});
	}
	#keep() {
		const { draft } = this.#run.state;
		if (!draft || this.#size === this.#kept) return;
		this.#kept = this.#size;
		this.#nextSize = Math.max(firstKept, 2 * this.#size);
		this.#run.emit({
			type: "drafted",
			text: draft.text,
			reasoning: draft.reasoning
		});
		this.#run.durable()?.then(void 0, () => {});
	}
};
/** Returns an interrupted turn from its draft. It is shown, and requested again. */
function interruptedTurn({ agent, state: { drafted } }) {
	if (!drafted) return void 0;
	const { text, reasoning } = drafted;
	const [{ provider, modelId } = {
		provider: "",
		modelId: ""
	}] = agent.models;
	return {
		type: "thought",
		model: {
			provider,
			modelId
		},
		parts: [...reasoning ? [{
			type: "reasoning",
			text: reasoning
		}] : [], ...text ? [{
			type: "text",
			text
		}] : []],
		usage: noUsage,
		ms: 0,
		heard: 0,
		error: {
			code: "interrupted",
			message: "The page or process went away before the turn was whole.",
			retryable: true
		}
	};
}
// ../packages/core/src/log/recovery.ts
/**
* Restarts concurrent parts of a run after a failed write. If the journal fails one part while others continue, such as
* those that wait for a user, the part restarts once the journal accepts writes again. If nothing else continues, the
* run fails with the journal's error.
*/
var Recovery = class {
	#run;
	#working = 0;
	#failed = /* @__PURE__ */ new Set();
	constructor(run) {
		this.#run = run;
	}
	/** Runs one part. `work` resumes where it was if it is called again. */
	async through(work) {
		this.#working++;
		try {
			let attempt = work();
			for (;;) try {
				return await attempt;
			} catch (error) {
				if (!isJournalError(error) || this.#run.abortSignal.aborted) throw error;
				attempt = (await this.#recovered(work, error)).attempt;
			}
		} finally {
			this.#working--;
			this.#giveUpIfAlone();
		}
	}
	/** Restarts the work within the write that succeeds, so that the run never seems to only wait. */
	#recovered(work, error) {
		return new Promise((resolve, reject) => {
			const giveUp = () => {
				cancel();
				reject(error);
			};
			const cancel = this.#run.onRecovered(() => {
				cancel();
				this.#failed.delete(giveUp);
				resolve({ attempt: work() });
			});
			this.#failed.add(giveUp);
			this.#giveUpIfAlone();
		});
	}
	#giveUpIfAlone() {
		if (this.#failed.size < this.#working) return;
		const failed = [...this.#failed];
		this.#failed.clear();
		for (const giveUp of failed) giveUp();
	}
};
// ../packages/core/src/log/writer.ts
/**
* Writes the events of one run to its journal, as the owner of the run. Only an event's position in the journal decides
* whether it is durable, never a promise: promises settle later than the write, and events are added meanwhile.
*/
var Writer = class {
	/** The number of events that the journal has. */
	durableSeq;
	/** The number of failed writes. */
	failures = 0;
	#journal;
	#runId;
	/** The next events to write, without those of the current write. */
	#queue = [];
	/** The number of events that the run has. */
	#addedSeq;
	#waiters = [];
	#writing = false;
	/** A write failed that may still have reached the journal, such as when a connection was lost before its answer. */
	#isUnsure = false;
	/** The run was claimed again during a write, which may still fail for want of that. */
	#claimAgain = false;
	/** Listeners of successful writes. */
	#listeners = /* @__PURE__ */ new Set();
	/** Listeners of failed writes. */
	#failureListeners = /* @__PURE__ */ new Set();
	/** Counts the failed writes of this run, and maps each error to its number, from 1. */
	#failures = /* @__PURE__ */ new WeakMap();
	#strict = false;
	/** The epoch, or a promise of it; undefined until the run is claimed. */
	#epoch;
	constructor({ journal, runId, durableSeq }) {
		this.#journal = journal;
		this.#runId = runId;
		this.durableSeq = durableSeq;
		this.#addedSeq = durableSeq;
	}
	add(event) {
		this.#queue.push(event);
		this.#addedSeq = event.seq + 1;
	}
	/** Makes this the owner immediately, not with the next write. */
	claim() {
		this.#claimAgain = this.#writing;
		if (this.#writing) return;
		try {
			this.#claim();
		} catch {
			this.#epoch = void 0;
		}
	}
	/** Resolves when every event added so far is durable; undefined if all of them are. */
	durable(durability) {
		if (this.durableSeq === this.#addedSeq) return void 0;
		if (durability === "strict") this.#strict = true;
		const { promise } = this.#waiterOf(this.#addedSeq);
		if (!this.#writing) this.#begin();
		return promise;
	}
	/**
	* Writes what is left. Resolves when no write or claim is under way, and if another owner has written since; no event may be added
	* after it. Rejects if the journal does not take it, such as for want of room: it may be called again then.
	*/
	async close() {
		try {
			await this.durable();
			await this.#epoch;
		} catch (error) {
			if (!isConflict(error)) throw error;
		}
	}
	/** Calls back, within the write, each time when a write succeeds. Returns what ends it. */
	onWritten(callback) {
		this.#listeners.add(callback);
		return () => void this.#listeners.delete(callback);
	}
	/** Calls back each time when a write fails. Returns what ends it. */
	onFailed(callback) {
		this.#failureListeners.add(callback);
		return () => void this.#failureListeners.delete(callback);
	}
	/**
	* Returns the number of the failed write that this error reports, from 1; 0 for any other error. An error of another
	* run or of a tool looks the same.
	*/
	failureOf(error) {
		return this.#failures.get(Object(error)) ?? 0;
	}
	/** Returns the waiter for a position. Positions only grow, so waiters of the same position share a promise. */
	#waiterOf(end) {
		const latest = this.#waiters.at(-1);
		if (latest?.end === end) return latest;
		const waiter = createWaiter(end);
		this.#waiters.push(waiter);
		return waiter;
	}
	/**
	* Writes until the queue is empty. Events emitted together are written together: a turn costs a write or two, not one
	* per event.
	*/
	async #write() {
		await void 0;
		try {
			while (this.#queue.length > 0) await this.#writeBatch();
			this.#writing = false;
		} catch (error) {
			this.#writing = false;
			if (this.#claimAgain) {
				this.claim();
				this.#begin();
			} else this.#reject(writeFailure(error));
		}
	}
	#begin() {
		this.#writing = true;
		this.#write();
	}
	/** Rejects all waiters. The events stay queued, and the next waiter has them written again. */
	#reject(failure) {
		this.#failures.set(failure, ++this.failures);
		for (const onFailed of this.#failureListeners) onFailed(failure);
		for (const { reject } of this.#waiters.splice(0)) reject(failure);
	}
	async #writeBatch() {
		const found = this.#isUnsure ? await this.#findWritten() : 0;
		this.durableSeq += found || await this.#writeQueue();
		this.#isUnsure = false;
		this.#claimAgain = false;
		for (const onWritten of this.#listeners) onWritten();
		while (this.#waiters[0] && this.#waiters[0].end <= this.durableSeq) this.#waiters.shift()?.resolve();
	}
	/** Returns the number of events. */
	async #writeQueue() {
		const [batch, asked] = [this.#queue, this.#strict];
		this.#queue = [];
		this.#strict = false;
		try {
			await this.#append(batch, asked || batch.some(isReply) ? "strict" : "relaxed");
			return batch.length;
		} catch (error) {
			this.#queue = [...batch, ...this.#queue];
			this.#strict ||= asked;
			this.#isUnsure = !isConflict(error);
			throw error;
		}
	}
	/**
	* Takes from the queue what an unsure write has left at the end of the journal, and becomes the owner right behind it. Returns the
	* number of events: none if they are not there, or if another owner has written since.
	*/
	async #findWritten() {
		const written = await this.#journal.read(this.#runId(), this.durableSeq);
		const { length } = written;
		if (length === 0 || !isSame(written, this.#queue.slice(0, length))) return 0;
		this.#epoch = await this.#journal.claim?.(this.#runId(), this.durableSeq + length);
		this.#queue = this.#queue.slice(length);
		return length;
	}
	async #append(events, durability) {
		if (this.#epoch === void 0) this.#claim();
		const epoch = typeof this.#epoch === "object" ? await this.#epoch : this.#epoch;
		await this.#journal.append(this.#runId(), events, {
			epoch,
			durability
		});
	}
	#claim() {
		const epoch = this.#journal.claim?.(this.#runId(), this.durableSeq);
		if (typeof epoch !== "object") {
			this.#epoch = epoch;
			return;
		}
		const coming = Promise.resolve(epoch);
		this.#epoch = coming;
		coming.catch(() => {
			if (this.#epoch === coming) this.#epoch = void 0;
		});
	}
};
/** The failure of a run whose journal rejected this. By its code it differs from a failure of the tool or step that waits for the write. */
function writeFailure(error) {
	const failure = toJournalError(error);
	if (isJournalError(failure)) return failure;
	const { message, retryable } = failure;
	return new AgentError("journal_failed", `The journal could not be written: ${message}`, {
		cause: error,
		retryable
	});
}
function createWaiter(end) {
	let resolve = () => {};
	let reject = () => {};
	return {
		end,
		promise: new Promise((onDurable, onFailure) => {
			resolve = onDurable;
			reject = onFailure;
		}),
		resolve,
		reject
	};
}
var isSame = (...logs) => {
	const [a, b] = logs.map((log) => canonicalJson(log));
	return a === b;
};
/** A user's reply cannot be worked out again. */
var isReply = ({ type }) => type === "replied";
// ../packages/core/src/log/journalEngine.ts
var journalEngine = {
	async open(runId, agent, options) {
		const past = await readPast(runId, options);
		checkAgent(agent, past.state, options);
		return past;
	},
	misfitOf: signal,
	write: (options) => new Writer(options),
	drafts: (run) => new DraftKeeper(run),
	interruptedTurn,
	recovery: (run) => new Recovery(run),
	attemptsOf,
	noteAttempts
};
var foldLog = (events) => ({
	state: fold(events),
	events
});
async function readPast(runId, { journal }) {
	checkKey(runId);
	assertOption(journal, "To resume by id, use resume(id, { journal }).");
	const events = await readLog(journal, runId);
	if (Array.isArray(events) && events.length === 0) throw new AgentError("run_unknown", `The journal has no run "${runId}".`);
	return foldLog(checkLog(events, { runId }));
}
/**
* Accepts another version of the agent for a run, but not another agent, which would not know the run's calls and
* notes.
*/
function checkAgent({ name }, { runId, agent: began }, { renamedFrom }) {
	if (began === name || began === renamedFrom) return;
	const advice = `Resume it with "${began}", or with { renamedFrom: "${began}" } if that is what "${name}" was called.`;
	throw new AgentError("agent_mismatch", `The run "${runId}" is of the agent "${began}", and not of "${name}". ${advice}`);
}
// ../packages/core/src/journal/memory.ts
/** That of a log that has no events. */
var noSummary = {
	runId: "",
	agent: "",
	version: "",
	startedAt: 0,
	updatedAt: 0,
	events: 0,
	title: ""
};
/** Keeps the summary of a run up to date with what is appended to its log. */
function summarize(summary = noSummary, events) {
	let next = summary;
	for (const event of events) {
		const { rest, ...working } = next;
		const resting = rest !== void 0 && !wakes(event, rest) ? { rest } : {};
		next = {
			...working,
			...resting,
			...changed(next, event),
			updatedAt: event.at,
			events: event.seq + 1
		};
	}
	return next;
}
/** Returns true if a list shows a run differently, apart from the time of its last write. */
var looksDifferent = (before, after) => !before || before.runId !== after.runId || before.rest !== after.rest || before.title !== after.title;
/**
* Returns true if an event makes a run work again, as in the state. A waiting run that is resumed may restart its
* calls, and still waits.
*/
function wakes(event, rest) {
	const { type } = event;
	if (type === "said") return rest !== "inputNeeded" && event.content !== "";
	return type === "replied" || type === "allowed" || type === "withdrawn" || type === "resumed" || type === "observed";
}
function changed(summary, event) {
	if (event.type === "started") {
		const { runId, agent, version, at, parent } = event;
		return {
			runId,
			agent,
			version,
			startedAt: at,
			...parent && { parent }
		};
	}
	if (event.type === "imported" && !isKept(summary.rest)) return { rest: importedRest.type };
	if (event.type === "rested") return { rest: event.signal.type };
	if (event.type === "said" && !summary.title) return { title: textOf(event.content).slice(0, 120) };
	return {};
}
var isKept = (rest) => rest === "answer" || rest === "failed";
var textOf = (content) => typeof content === "string" ? content : content.map((part) => part.type === "text" ? part.text : "").join(" ");
/** The order of a list: newest first, and of one time by id, from the last. */
var newestFirst = (a, b) => b.updatedAt - a.updatedAt || (a.runId === b.runId ? 0 : a.runId < b.runId ? 1 : -1);
/** Returns true if a list with these options includes a run. */
var lists = ({ agent, below, before }) => (run) => (agent === void 0 || run.agent === agent) && (below === void 0 || run.runId.startsWith(`${below}/`)) && (before === void 0 || comesAfter(run, before));
var comesAfter = (run, before) => typeof before === "number" ? run.updatedAt < before : newestFirst(before, run) < 0;
/** The newest time that a list with these options may have, and whether it may have it. */
var newest = ({ before = Number.POSITIVE_INFINITY }) => typeof before === "number" ? {
	time: before,
	open: true
} : {
	time: before.updatedAt,
	open: false
};
/** Why events, or an owner, do not follow a log of this length. */
function conflict(runId, length, seq) {
	if (length === 0) {
		const gone = `The journal has no run ${runId}, so event ${seq} does not follow. Was it deleted, here or in another tab?`;
		return new AgentError("journal_conflict", `${gone} Its state is still here: keep run.state if you need it.`);
	}
	if (seq === 0) {
		const taken = `A run with the id "${runId}" exists already, so start() cannot begin one.`;
		return new AgentError("journal_conflict", `${taken} Continue it with agent.resume("${runId}", { journal }), or start with another \`id\`.`);
	}
	const where = `The log of run ${runId} has ${length} events, so event ${seq} does not follow.`;
	return new AgentError("journal_conflict", `${where} Another owner took over this run.`);
}
/** Why an owner may not write, although its events would fit. */
var staleOwner = (runId) => new AgentError("journal_conflict", `Another owner took over the run ${runId}. Load it again to see its current state.`);
// ../packages/core/src/journal/indexedDb/stores.ts
/** Returns the keys of the records with a run's events from a position on. The first record may begin before it. */
var keysOf = (runId, from = 0) => IDBKeyRange.bound([runId, from], [runId, Number.POSITIVE_INFINITY]);
/** Returns the id range of a run's descendants: those that begin with "<id>/". "0" is the character after "/". */
var idsBelow = (runId) => [`${runId}/`, `${runId}0`];
var storeNames = [
	"runs",
	"events",
	"values",
	"counters"
];
/** Resolves when a request succeeds. */
var resultOf = (request) => new Promise((resolve, reject) => {
	request.onsuccess = () => resolve(request.result);
	request.onerror = () => reject(request.error);
});
/** The upgrades from each database version to the next. Append only; never change one. */
var upgrades = [(database) => {
	const runs = database.createObjectStore("runs", { keyPath: "runId" });
	runs.createIndex("updatedAt", "summary.updatedAt");
	runs.createIndex("agent", ["summary.agent", "summary.updatedAt"]);
	database.createObjectStore("events").createIndex("large", "large", { multiEntry: true });
	database.createObjectStore("values");
	database.createObjectStore("counters");
}];
/** In characters of JSON. */
var limit = 65536;
/**
* Extracts large values: strings, and lists and objects that are large without one large member. So the same document
* in two events is the same value twice, whatever surrounds it.
*/
function takeOut(whole) {
	const large = [];
	const visit = (value, path) => {
		const json = JSON.stringify(value) ?? "";
		if (json.length <= limit) return value;
		if (!(typeof value === "object" && Object.values(value ?? {}).some((member) => (JSON.stringify(member) ?? "").length > limit)) && path.length > 0) {
			large.push({
				path,
				value,
				json
			});
			return null;
		}
		if (Array.isArray(value)) return value.map((member, index) => visit(member, [...path, index]));
		return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, visit(member, [...path, key])]));
	};
	return {
		rest: visit(whole, []),
		large
	};
}
/** Puts a value back to where it was taken from. Throws if that is not there. */
function putBack(whole, path, value) {
	const key = path.at(-1);
	if (key === void 0) return;
	let target = whole;
	for (const step of path.slice(0, -1)) {
		if (!Object.hasOwn(target, step)) throw new Error(`There is no ${JSON.stringify(path)}.`);
		target = target[step];
	}
	Object.defineProperty(target, key, {
		value,
		writable: true,
		enumerable: true,
		configurable: true
	});
}
/** Undefined in a page that was not loaded over HTTPS, which has no hash function. */
async function hashOf(json) {
	if (!globalThis.crypto?.subtle) return void 0;
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(json));
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
// ../packages/core/src/journal/indexedDb/connection.ts
/** The number of upgrades is the version of the database. */
function createConnection(name, steps = upgrades) {
	let opened;
	const forget = () => {
		opened = void 0;
	};
	const open = () => {
		opened ??= openDatabase({
			name,
			steps,
			onClose: forget
		});
		opened.catch(forget);
		return opened;
	};
	const begin = async (mode, durability) => {
		const start = async () => (await open()).transaction(storeNames, mode, { durability });
		try {
			return await start();
		} catch (error) {
			if (error.name !== "InvalidStateError") throw error;
			forget();
			return start();
		}
	};
	return {
		read: async (body) => complete(await begin("readonly", "relaxed"), body),
		write: async (body, durability = "relaxed") => complete(await begin("readwrite", durability), body)
	};
}
async function complete(transaction, body) {
	const done = new Promise((resolve, reject) => {
		transaction.oncomplete = () => resolve();
		transaction.onabort = () => reject(transaction.error);
	});
	done.catch(() => {});
	try {
		const result = await body(transaction);
		await done;
		return result;
	} catch (error) {
		abort(transaction);
		throw isAgentError(error) ? error : transaction.error ?? error;
	}
}
function abort(transaction) {
	try {
		transaction.abort();
	} catch {}
}
function openDatabase({ name, steps, onClose }) {
	return new Promise((resolve, reject) => {
		if (typeof indexedDB === "undefined") {
			reject(failure("There is no IndexedDB here. Use another journal, such as memoryJournal().", false));
			return;
		}
		const request = indexedDB.open(name, steps.length);
		let isLate = false;
		request.onblocked = () => {
			isLate = true;
			reject(failure(`${`The database "${name}" is open in another tab, in an older version.`} Close that tab or load it again, and try again.`));
		};
		request.onupgradeneeded = ({ oldVersion }) => {
			for (const step of steps.slice(oldVersion)) step(request.result);
		};
		request.onerror = () => reject(explain(name, request.error));
		request.onsuccess = () => {
			const { result: database } = request;
			database.onclose = onClose;
			database.onversionchange = () => {
				onClose();
				database.close();
			};
			if (isLate) database.close();
			else resolve(database);
		};
	});
}
function explain(name, error) {
	if (error.name === "VersionError") return failure(`The database "${name}" was written by a newer version of this page. Load the page again.`, false);
	return error.name === "QuotaExceededError" ? error : failure(`The database "${name}" could not be opened: ${messageOf(error)}`);
}
var failure = (message, retryable = true) => new AgentError("journal_failed", message, { retryable });
// ../packages/core/src/journal/indexedDb/runs.ts
/** Reads only the requested runs: from the newest end of an index, or the children of one run. */
async function listRuns(transaction, { limit = 50, ...options }) {
	if (limit <= 0) return [];
	const isListed = lists(options);
	if (options.below !== void 0) {
		const [first, end] = idsBelow(options.below);
		return (await resultOf(transaction.objectStore("runs").getAll(IDBKeyRange.bound(first, end, false, true)))).filter(hasEvents).map(shown).filter(isListed).sort(newestFirst).slice(0, limit);
	}
	const summaries = [];
	const request = openNewest(transaction, options);
	for (let cursor = await resultOf(request); cursor; cursor = await resultOf(request)) {
		const summary = shown(cursor.value);
		if (isListed(summary)) summaries.push(summary);
		if (summaries.length >= limit) break;
		cursor.continue();
	}
	return summaries;
}
/** Of those without, no index knows. */
var hasEvents = ({ summary }) => summary !== void 0;
function openNewest(transaction, { agent, ...options }) {
	const { time, open } = newest(options);
	const runs = transaction.objectStore("runs");
	return agent === void 0 ? runs.index("updatedAt").openCursor(IDBKeyRange.upperBound(time, open), "prev") : runs.index("agent").openCursor(IDBKeyRange.bound([agent], [agent, time], false, open), "prev");
}
var members = {
	...origin,
	startedAt: time,
	updatedAt: time,
	events: count,
	title: text,
	rest: text
};
/** Returns a run's list entry. Invalid members are omitted, so that a damaged run is listed and can be deleted. */
function shown({ runId, summary }) {
	const sound = Object.entries(Object(summary)).filter(([key, value]) => Object.hasOwn(members, key) && members[key]?.(value) === void 0);
	return {
		...noSummary,
		...Object.fromEntries(sound),
		runId
	};
}
/** Returns the summary for a log of this length, recomputed from the log if the stored one does not match. */
async function summaryOf(transaction, { summary, runId }, length) {
	if (length === 0) return noSummary;
	return summary?.events === length && summary.runId === runId ? shown({
		runId,
		summary
	}) : summarize(noSummary, await readEvents(transaction, runId));
}
/** Hashes large values before the transaction starts, because it would end while waiting for a hash. */
async function prepare(events) {
	const taken = events.map(takeOut);
	const large = taken.flatMap((event, index) => event.large.map((each) => ({
		...each,
		path: [index, ...each.path]
	})));
	const places = (await Promise.all(large.map(toPlace))).filter((place) => place !== void 0);
	if (places.length === 0 || places.length < large.length) return {
		stored: { events },
		values: /* @__PURE__ */ new Map()
	};
	const values = new Map(places.map(({ hash }, index) => [hash, large[index]?.value]));
	return {
		stored: {
			events: taken.map(({ rest }) => rest),
			places,
			large: [...values.keys()]
		},
		values
	};
}
async function toPlace({ path, json }) {
	const hash = await hashOf(json);
	return hash === void 0 ? void 0 : {
		path,
		hash
	};
}
/** Those that are stored already are not stored again. */
async function storeValues({ values }, transaction) {
	const store = transaction.objectStore("values");
	for (const [hash, value] of values) if (await resultOf(store.count(hash)) === 0) await resultOf(store.put(value, hash));
}
/** The events of a run from a position, whole again. */
async function readEvents(transaction, runId, from = 0) {
	const records = await resultOf(transaction.objectStore("events").getAll(keysOf(runId, from)));
	const events = (await Promise.all(records.map((each) => restore(each, transaction)))).flat();
	return from === 0 ? events : events.filter((event) => !(event.seq < from));
}
/**
* Restores complete events. What cannot be restored becomes an invalid event, so that it is rejected and can be
* inspected.
*/
async function restore(record, transaction) {
	try {
		const { events, places = [] } = record;
		for (const { path, hash } of places) {
			const value = await resultOf(transaction.objectStore("values").get(hash));
			if (value === void 0) throw new Error(`The value ${hash} is missing.`);
			putBack(events, path, value);
		}
		return events.map((event) => event ?? damaged("It is empty.", record));
	} catch (error) {
		return [damaged(messageOf(error), record)];
	}
}
var damaged = (why, record) => ({
	type: "damaged",
	why,
	record
});
/** The large values that a record has. */
function hashesOf(record) {
	const { large } = Object(record);
	return Array.isArray(large) ? large.filter((hash) => typeof hash === "string") : [];
}
/** Events from which on it is enough. */
var pageSize = 128;
/** Takes out the records that are to be a page with what is written now; undefined if it is too early. */
async function takeForPage(transaction, { runId, paged = 0, length }) {
	if (length - paged < pageSize) return void 0;
	const log = transaction.objectStore("events");
	const records = await resultOf(log.getAll(keysOf(runId, paged)));
	await resultOf(log.delete(keysOf(runId, paged)));
	return records;
}
/** Several records as one. */
function toPage(records) {
	const events = [];
	const places = [];
	for (const record of records) {
		for (const { path, hash } of record.places ?? []) {
			const [index, ...way] = path;
			places.push({
				path: [events.length + Number(index), ...way],
				hash
			});
		}
		events.push(...record.events);
	}
	return places.length === 0 ? { events } : {
		events,
		places,
		large: [...new Set(places.map(({ hash }) => hash))]
	};
}
// ../packages/core/src/journal/indexedDb/indexedDbJournal.ts
/**
* Creates a journal in the browser's database. It survives the page, and all tabs of an origin share it. Works in
* workers too. Each append is one transaction, and resolves when it is complete. Values over 64 KB are stored once,
* however many events contain them.
*
* Without room the run fails with `journal_full`; if another tab deletes the database, with `journal_conflict`. The run
* object still has everything.
*/
function indexedDbJournal({ name = "interleave" } = {}) {
	const { read, write } = createConnection(name);
	return {
		engine: journalEngine,
		async append(runId, events, options = {}) {
			checkRunId(runId);
			const [first] = events;
			if (!first) return;
			const prepared = await prepare(events);
			if (await write(async (transaction) => {
				const run = {
					...await checkOwner(transaction, {
						runId,
						seq: first.seq,
						epoch: options.epoch
					}),
					runId
				};
				const before = await summaryOf(transaction, run, first.seq);
				const [runs, log] = [transaction.objectStore("runs"), transaction.objectStore("events")];
				const after = summarize(before, events);
				const length = first.seq + events.length;
				const recent = await takeForPage(transaction, {
					...run,
					length
				});
				await Promise.all([
					resultOf(runs.put({
						...run,
						summary: after,
						...recent && { paged: length }
					})),
					resultOf(log.put(recent ? toPage([...recent, prepared.stored]) : prepared.stored, [runId, length - 1])),
					storeValues(prepared, transaction)
				]);
				return looksDifferent(before, after);
			}, options.durability)) tellChange(name);
		},
		async read(runId, from = 0) {
			checkKey(runId);
			return read((transaction) => readEvents(transaction, runId, from));
		},
		list: (options = {}) => read((transaction) => listRuns(transaction, options)),
		async delete(runId) {
			checkKey(runId);
			await write((transaction) => deleteRun(transaction, runId));
			tellChange(name);
		},
		async claim(runId, length) {
			checkKey(runId);
			return write((transaction) => claimRun(transaction, runId, length));
		},
		watch: (listener) => watchChanges(name, listener)
	};
}
/**
* Returns the stored data of a run besides its log. Throws `journal_conflict` if another owner took over. The log
* itself determines its length, not this data.
*/
async function checkOwner(transaction, { runId, seq, epoch }) {
	const [run, last] = await Promise.all([resultOf(transaction.objectStore("runs").get(runId)), resultOf(transaction.objectStore("events").openKeyCursor(keysOf(runId), "prev"))]);
	const [, seqOfLast = -1] = last?.primaryKey ?? [];
	const length = seqOfLast + 1;
	if (seq !== length) throw conflict(runId, length, seq);
	if (epoch !== void 0 && epoch !== run?.epoch) throw staleOwner(runId);
	return run ?? {};
}
/**
* Makes the caller the owner, and returns its epoch: above both the counter and the run's own, in case one was lost.
*/
async function claimRun(transaction, runId, length) {
	const run = await checkOwner(transaction, {
		runId,
		seq: length
	});
	const counters = transaction.objectStore("counters");
	const epoch = Math.max(...[await resultOf(counters.get("epoch")), run.epoch].map(orNone)) + 1;
	await resultOf(counters.put(epoch, "epoch"));
	await resultOf(transaction.objectStore("runs").put({
		...run,
		runId,
		epoch
	}));
	return epoch;
}
var orNone = (epoch) => Number.isSafeInteger(epoch) ? epoch : 0;
/** Deletes a run, those below it, and the large values that no other run has. */
async function deleteRun(transaction, runId) {
	const [runs, events, values] = [
		transaction.objectStore("runs"),
		transaction.objectStore("events"),
		transaction.objectStore("values")
	];
	const [first, end] = idsBelow(runId);
	const logs = [keysOf(runId), IDBKeyRange.bound([first], [end], false, true)];
	const deleted = (await Promise.all(logs.map((log) => resultOf(events.getAll(log))))).flat();
	await Promise.all([
		...logs.map((log) => resultOf(events.delete(log))),
		resultOf(runs.delete(runId)),
		resultOf(runs.delete(IDBKeyRange.bound(first, end, false, true)))
	]);
	for (const hash of new Set(deleted.flatMap(hashesOf))) if (await resultOf(events.index("large").count(hash)) === 0) await resultOf(values.delete(hash));
}
// live/reload.tsx
var order = tool({
	description: "Orders coffee.",
	effect: "idempotent",
	inputSchema: z.object({ cups: z.number() }),
	execute: async ({ cups }, { ask, once }) => {
		const number = await once("number", () => Math.floor(1e3 + Math.random() * 9e3));
		const size = await ask(choice({
			prompt: `Order ${number}: which size?`,
			options: ["small", "large"]
		}));
		return `Order ${number}: ${cups} ${size} coffees${await ask(confirm({ prompt: `Order ${number}, ${size}: to go?` })) ? " to go" : ""}.`;
	}
});
var model = scriptedModel(({ prompt }) => {
	const [ordered] = /Order \d+: \d[^"]*/.exec(JSON.stringify(prompt.at(-1))) ?? [];
	return ordered ?? { calls: [{
		name: "order",
		input: { cups: 2 }
	}] };
});
var barista = agent({
	name: "barista",
	model,
	tools: { order }
});
var journal = indexedDbJournal();
function App() {
	const [runId] = useState(() => sessionStorage.getItem("barista") ?? void 0);
	const { run, say, isWorking, isAttaching } = useReAct(barista, {
		runId,
		journal
	});
	const messages = useMessages(run);
	useEffect(() => {
		if (run) sessionStorage.setItem("barista", run.id);
	}, [run]);
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		messages.map((message) => "text" in message && /* @__PURE__ */ jsx("p", { children: message.text }, message.key)),
		/* @__PURE__ */ jsx("button", {
			type: "button",
			disabled: isWorking || isAttaching,
			onClick: () => say("Two coffees, please."),
			children: "Order coffee"
		}),
		/* @__PURE__ */ jsx(SignalOutlet, { run })
	] });
}
export { App };
