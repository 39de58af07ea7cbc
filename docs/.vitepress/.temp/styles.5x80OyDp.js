import { Component, createContext, useCallback, useContext, useEffect, useId, useImperativeHandle, useInsertionEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
// ../packages/core/src/error.ts
/**
* The only error class. Distinguished by `name` and `code`, because a page may contain frames and several copies of it.
*/
var AgentError = class extends Error {
	name = "AgentError";
	code;
	retryable;
	status;
	constructor(code, message, { cause, retryable = false, status } = {}) {
		super(message, cause === void 0 ? void 0 : { cause });
		this.code = code;
		this.retryable = retryable;
		this.status = status;
	}
};
/**
* Returns what `read` makes of a thrown value, or `otherwise` if looking at the value throws, as it does for a revoked proxy. Code
* that reads what other code threw does so here.
*/
function readThrown(thrown, read, otherwise) {
	try {
		return read(thrown ?? {});
	} catch {
		return otherwise;
	}
}
/** Returns true for our errors, also from another frame or another copy of this package with its own class. */
var isAgentError = (error) => readThrown(error, ({ name, code }) => isError(error) && name === "AgentError" && typeof code === "string", false);
var isError = (value) => Object.prototype.toString.call(value) === "[object Error]";
/** Converts any thrown value to plain JSON, also one that cannot be read. Foreign errors get `code`. */
var toFailure$1 = (error, code) => readThrown(error, () => failureOf(error, code), {
	code,
	message: unreadable,
	retryable: false
});
var unreadable = "The thrown value cannot be read.";
function failureOf(error, otherwise) {
	const { code, retryable, isRetryable, status, statusCode } = error ?? {};
	const isOurs = isAgentError(error);
	const number = isOurs ? status : statusCode;
	return {
		code: isOurs ? code : otherwise,
		message: isOurs && error.message === "" ? "" : withServerMessage(error),
		retryable: (isOurs ? retryable : isRetryable) === true,
		...Number.isFinite(number) && { status: number }
	};
}
function withServerMessage(error) {
	const [message, written] = [messageOf(error), serverMessage(error)];
	return written === void 0 || message.includes(written) ? message : `${message}: ${written}`.slice(0, maxMessage);
}
/** The longest message that is kept, in characters. */
var maxMessage = 65536;
/** The text of any thrown value, never empty. */
var messageOf = (error) => readThrown(error, ({ message, name }) => wordsOf$2(error, message, name).slice(0, maxMessage), unreadable);
function wordsOf$2(error, message, name) {
	if (error === void 0 || error === null) return "It failed without a reason.";
	if (typeof error === "string" && error) return error;
	if (typeof message === "string" && message) return message;
	if (isError(error) && typeof name === "string" && name) return name;
	if (typeof error === "bigint") return String(error);
	return briefJson(error) ?? String(error);
}
/**
* Returns the beginning of a value as JSON. It reads a limited number of members and characters, however often they are
* shared.
*/
function briefJson(value) {
	let left = maxMessage;
	return JSON.stringify(value, (key, member) => {
		left -= key.length + 4;
		if (left < -65536) throw new RangeError("It is too large.");
		if (left < 0) return void 0;
		if (typeof member === "bigint") return String(member);
		if (Array.isArray(member)) return member.slice(0, left / 8);
		if (ArrayBuffer.isView(member)) return "[bytes]";
		if (typeof member !== "string") return member;
		const text = member.slice(0, left);
		left -= text.length;
		return text;
	});
}
/**
* Reads a server's error text if the AI SDK has only the status text. Servers that imitate another provider's interface
* seldom describe errors in its format.
*/
function serverMessage(error) {
	const { responseBody } = error ?? {};
	if (typeof responseBody !== "string" || responseBody.length > 65536) return void 0;
	try {
		return messageIn$1(JSON.parse(responseBody));
	} catch {
		return;
	}
}
function messageIn$1(body) {
	if (typeof body === "string") return body || void 0;
	if (!body || typeof body !== "object") return void 0;
	const { message, error, detail } = body;
	return [
		message,
		detail,
		typeof error === "string" ? error : void 0
	].find((text) => typeof text === "string") || (typeof error === "object" ? messageIn$1(error) : void 0);
}
/** Errors inside of a stream are of any shape. A provider's own error object keeps its flags. */
function asModelError(error) {
	const message = messageOf(error);
	return readThrown(error, ({ status, code }) => {
		if (error instanceof Error) return error;
		const number = typeof status === "number" ? status : typeof code === "number" ? code : void 0;
		const retryable = number === void 0 ? /overload|rate|timeout|unavailable/i.test(message) : isRetryableStatus(number);
		return new AgentError("model_failed", message, {
			cause: error,
			retryable,
			status: number
		});
	}, new AgentError("model_failed", message));
}
var isRetryableStatus = (status) => status === 408 || status === 409 || status === 429 || status >= 500;
var malformed = (what) => new AgentError("model_malformed", `The model sent ${what}.`);
/** Returns true if another owner took over the run. */
var isConflict = (error) => isAgentError(error) && error.code === "journal_conflict";
/** Throws `invariant_broken` if a basic rule does not hold. It ends the run, and nothing else happens. */
function invariant(holds, rule, broken) {
	if (holds) return;
	const error = new AgentError("invariant_broken", `${rule} is broken: ${broken}`);
	breaches.add(error);
	throw error;
}
/** The errors of this code's own checks. A tool may throw one of another run, which looks the same. */
var breaches = /* @__PURE__ */ new WeakSet();
var isInvariantBroken = (error) => breaches.has(Object(error));
/** A listener's fault must not end the run, and must not be silent either. */
function reportLater(error) {
	queueMicrotask(() => {
		if (typeof reportError === "function") reportError(error);
		else console.error(error);
	});
}
// ../packages/core/src/json.ts
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/**
* Parses foreign JSON: from a model, a network or a stored file. Checks length and depth first, so that no input
* exhausts the stack. Rejects an own `__proto__` key, and a `constructor` that has a `prototype`.
*/
function parseJson(text, { maxLength = 65536, maxDepth = 32 } = {}) {
	if (text.length > maxLength) throw invalid(`it is ${text.length} characters long, more than ${maxLength}`);
	if (depthOf(text) > maxDepth) throw invalid(`it is nested deeper than ${maxDepth} levels`);
	let value;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw invalid(error instanceof Error ? error.message : String(error));
	}
	if (suspect.test(text) && anyHasPrototypeKey(value)) throw invalid(polluting);
	return value;
}
/**
* Returns a deep copy as plain JSON, by the rules of `JSON.stringify` (`toJSON` is called, `undefined` members are
* omitted). Later changes of the original do not affect the log. Throws `json_invalid` for more than 64 levels or
* 2,097,152 values: a value that many members share counts for each, as it is copied for each.
*/
var toJson = (value) => typeof value === "string" || value === null ? value : new JsonCopy(void 0).of(value, "", 0) ?? null;
/**
* Like `toJson`, but throws for values that JSON would lose: a Response, a Map, a promise, a function. `owner` names
* the value's owner, such as `The output of the tool "search"`.
*/
var strictJson = (value, owner) => new JsonCopy(owner).of(value, "", 0) ?? null;
/** The same data as plain JSON, for types that differ from it only in bytes, URLs and dates: these become text. */
function asPlain(value) {
	return toJson(value);
}
function copyJson(value) {
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(copyJson);
	const copy = { ...value };
	for (const key in copy) {
		const member = copy[key];
		if (typeof member === "object" && member !== null) copy[key] = copyJson(member);
	}
	return copy;
}
var maxLevels = 64;
var maxValues = 2 ** 21;
/** One copy of a value, and what is left of its bounds. */
var JsonCopy = class {
	/** Set if nothing may be lost. */
	#owner;
	#valuesLeft = maxValues;
	constructor(owner) {
		this.#owner = owner;
	}
	/** Returns a copy, or undefined for a value without a JSON form. */
	of(given, key, depth) {
		if (depth > maxLevels) throw invalid(`it is nested deeper than ${maxLevels} levels, or refers to itself`);
		this.#count(1);
		const value = hasToJson(given) ? given.toJSON(String(key)) : given;
		if (value === null || typeof value === "string" || typeof value === "boolean") return value;
		if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
		if (typeof value === "bigint") return value.toString();
		if (typeof value !== "object") {
			if (depth === 0 && value !== void 0) this.#refuseLoss(value, key);
			return;
		}
		if (value instanceof Number || value instanceof String || value instanceof Boolean) return toJson(value.valueOf());
		if (value instanceof Uint8Array) return toBase64$1(value);
		return Array.isArray(value) ? this.#ofArray(value, depth + 1) : this.#ofObject(value, key, depth + 1);
	}
	#count(values) {
		this.#valuesLeft -= values;
		if (this.#valuesLeft < 0) throw invalid(`it has more than ${maxValues} values`);
	}
	#ofArray(values, depth) {
		if (values.length > this.#valuesLeft) this.#count(values.length);
		const copy = [];
		for (let index = 0; index < values.length; index++) copy.push(this.of(values[index], index, depth) ?? null);
		return copy;
	}
	#ofObject(value, key, depth) {
		const copy = {};
		const names = Object.keys(value);
		if (names.length === 0 && !isPlain$1(value)) this.#refuseLoss(value, key);
		for (const name of names) {
			const member = this.of(value[name], name, depth);
			if (member === void 0) continue;
			if (name === "__proto__") throw invalid(polluting);
			copy[name] = member;
		}
		if (hasPrototypeKey(copy)) throw invalid(polluting);
		return copy;
	}
	#refuseLoss(value, key) {
		if (this.#owner === void 0) return;
		const kind = typeof value === "object" ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
		const what = kind === "Object" ? "an instance of a class that has no fields" : `a value of type ${kind}`;
		throw new AgentError("json_invalid", `${this.#owner} ${key === "" ? "is" : `has at "${key}"`} ${what}, which JSON cannot hold. Return plain data: await response.json(), Object.fromEntries(map), [...set].`);
	}
};
var hasToJson = (value) => typeof value === "object" && value !== null && "toJSON" in value && typeof value.toJSON === "function";
/**
* Returns true if an object is not an instance of a class. Compares the distance to the root prototype, since each
* frame has its own classes.
*/
function isPlain$1(value) {
	const prototype = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
/** Bytes as base64, as the model interface takes them too. */
function toBase64$1(bytes) {
	let binary = "";
	for (const byte of bytes) binary += String.fromCharCode(byte);
	return btoa(binary);
}
var polluting = "it has a key that would change a prototype";
var suspect = /__proto__|constructor|\\u00/;
var anyHasPrototypeKey = (value) => typeof value === "object" && value !== null && (hasPrototypeKey(value) || Object.values(value).some(anyHasPrototypeKey));
/** Returns the nesting depth by counting brackets outside of strings, without parsing. */
function depthOf(text) {
	let depth = 0;
	let deepest = 0;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code === 34) i = endOfString$1(text, i);
		else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
		else if (code === 93 || code === 125) depth--;
	}
	return deepest;
}
function endOfString$1(text, start) {
	let i = start + 1;
	while (i < text.length && text.charCodeAt(i) !== 34) i += text.charCodeAt(i) === 92 ? 2 : 1;
	return i;
}
var invalid = (why) => new AgentError("json_invalid", `This is not usable JSON: ${why}.`);
/** Returns true if merging the object into another one would change a prototype. */
function hasPrototypeKey(value) {
	if (Object.hasOwn(value, "__proto__")) return true;
	const inner = Object.hasOwn(value, "constructor") ? value.constructor : void 0;
	return typeof inner === "object" && inner !== null && Object.hasOwn(inner, "prototype");
}
/** Returns the same JSON text for the same data, whatever the order of its keys. */
function canonicalJson(value) {
	if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
	return `{${Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join()}}`;
}
/** Returns true if two values are the same as JSON. The order of keys does not matter. */
var sameJson$1 = (a, b) => canonicalJson(toJson(a)) === canonicalJson(toJson(b));
/** Deeper than the output of tools and the replies of users, which are limited to 64 levels. */
var maxDepth$2 = 100;
/** Characters of text and numbers of values together. A run of days has a hundredth of it. */
var maxSize = 2 ** 28;
var noJson = [
	"function",
	"symbol",
	"bigint"
];
/** Says what is wrong with data, if it is too large to be looked at, is no JSON, or changes a prototype. */
function problemInData(data) {
	let size = 0;
	const look = (value, path) => {
		size += typeof value === "string" ? value.length : 1;
		if (size > maxSize) return `it is larger than ${maxSize} characters`;
		if (noJson.includes(typeof value)) return `it has a ${typeof value} at "${path.join(".").slice(0, 200)}", which JSON cannot hold`;
		if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return void 0;
		if (path.length > maxDepth$2) return `it is nested deeper than ${maxDepth$2} levels`;
		if (hasPrototypeKey(value)) return "it has a key that would change a prototype";
		for (const key of Object.keys(value)) {
			path.push(key);
			const problem = look(value[key], path);
			if (problem) return problem;
			path.pop();
		}
	};
	return look(data, []);
}
/** Returns the cached value of a key, or computes and caches it. The value lives as long as the key. */
function cached(cache, key, make) {
	const known = cache.get(key);
	if (known !== void 0) return known;
	const made = make();
	cache.set(key, made);
	return made;
}
// ../packages/core/src/options.ts
/** Throws an error about an option when it is passed, not in the first run. */
function assertOption(holds, problem) {
	if (!holds) throw new AgentError("options_invalid", problem);
}
/** Returns true if an option is undefined or has one of these types. */
var isOptional = (value, ...types) => value === void 0 || value !== null && types.includes(typeof value);
/** Throws if an option is set, and not of the types in these words, such as `a string or a function`. */
function checkType(value, option, words) {
	assertOption(isOptional(value, ...Array.from(words.matchAll(/\ban? (\w+)/g), ([, type = ""]) => type)), `The ${option} must be ${words}.`);
}
var inLimits = "use reasonAct({ limits: { iterations: 20 } })";
var inSettings = "set `settings`: reasonAct({ think: { settings } })";
/** Options of the AI SDK and of its earlier versions, and what takes their place. */
var sdkOptions = {
	maxSteps: inLimits,
	stopWhen: inLimits,
	maxIterations: inLimits,
	system: "use `instructions`",
	prompt: "use start(message)",
	messages: "use start(message, { history })",
	parameters: "use `inputSchema`",
	temperature: inSettings,
	maxTokens: inSettings,
	maxOutputTokens: inSettings,
	toolChoice: inSettings,
	providerOptions: inSettings,
	maxRetries: "use reasonAct({ think: { retries: 2 } })",
	onStepFinish: "use observe(run, { onIterationEnd })",
	onFinish: "use observe(run, { onFinish })"
};
/** Throws for an option that is not known, since it would have no effect. `owner` is what has the options, such as `agent()`; `elsewhere` says what takes their place. */
function refuseUnknown(owner, options, known, elsewhere = {}) {
	for (const [name, value] of Object.entries(options)) {
		if (value === void 0 || Object.hasOwn(known, name)) continue;
		const names = Object.keys(known);
		const meant = nearest(name, names);
		const moved = Object.hasOwn(elsewhere, name) ? elsewhere[name] : void 0;
		assertOption(false, `${owner} has no option \`${name}\`. ${moved ? `Instead, ${moved}.` : meant ? `Did you mean \`${meant}\`?` : `It has: ${names.join(", ")}.`}`);
	}
}
/** The name that was probably meant, if one is near enough. `max_iterations` and `maxIterations` count as the same. */
function nearest(given, names) {
	const wanted = folded(given);
	let best;
	for (const name of names) {
		const distance = distanceOf(wanted, folded(name));
		if (distance <= Math.max(1, Math.floor(wanted.length / 3)) && distance < (best?.distance ?? Infinity)) best = {
			name,
			distance
		};
	}
	return best?.name;
}
/** Long names are cut: what differs in the first letters is not near. */
var folded = (name) => name.slice(0, 64).toLowerCase().replaceAll(/[^a-z0-9]/g, "") || name.slice(0, 64);
/** Letters to insert, remove, replace, or swap with their neighbour (Damerau and Levenshtein). */
function distanceOf(a, b) {
	let before = [];
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			const swapped = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
			next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		before = row;
		row = next;
	}
	return row.at(-1) ?? 0;
}
/** The length of an id, child runs included. */
var maxId = 2e3;
var isId$1 = (value) => value !== "" && value.length <= maxId && !/\p{Surrogate}/u.test(value);
/**
* Throws if a string cannot be the id of a run, which may become an address and a file name: it must not be empty,
* ill-formed Unicode, or too long.
*/
function checkRunId(id) {
	checkKey(id);
	assertOption(isId$1(id), `The \`id\` of a run must be well-formed Unicode of at most ${maxId} characters, such as crypto.randomUUID().`);
}
/** Asserts that a journal can find and delete this id. Also accepts ids of runs from older versions. */
function checkKey(id) {
	assertOption(typeof id === "string" && id, "The `id` of a run must be a text that is not empty.");
}
// ../packages/core/src/signal.ts
/** Returns true for a question about a limit of this run, and not of its children. */
var isOwnLimit = (ask) => ask.kind === "extension" && !ask.from;
/** Returns the signal of a run that cannot continue. Foreign errors get `code`. */
var failed = (error, code = "step_failed") => ({
	type: "failed",
	error: toFailure$1(error, code)
});
/** The signal of a run that was opened from a file. */
var importedRest = {
	type: "stopped",
	reason: "Opened from a file. Nothing runs until you continue.",
	cause: "imported"
};
// ../packages/core/src/usage.ts
var noUsage = Object.freeze({
	inputTokens: 0,
	cachedInputTokens: 0,
	cacheWriteTokens: 0,
	outputTokens: 0,
	reasoningTokens: 0,
	cost: 0,
	unpricedTurns: 0
});
var addUsage = (a, b) => ({
	inputTokens: a.inputTokens + b.inputTokens,
	cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
	cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
	outputTokens: a.outputTokens + b.outputTokens,
	reasoningTokens: a.reasoningTokens + b.reasoningTokens,
	cost: a.cost + b.cost,
	unpricedTurns: a.unpricedTurns + b.unpricedTurns
});
/** The usage of one turn, priced. */
function toUsage(raw, model, prices) {
	const { inputTokens: input, outputTokens: output } = raw ?? {};
	const cachedInputTokens = countOf(input?.cacheRead);
	const cacheWriteTokens = countOf(input?.cacheWrite);
	const reasoningTokens = countOf(output?.reasoning);
	const tokens = {
		inputTokens: Math.max(countOf(input?.total), countOf(input?.noCache) + cachedInputTokens + cacheWriteTokens),
		cachedInputTokens,
		cacheWriteTokens,
		outputTokens: Math.max(countOf(output?.total), countOf(output?.text) + reasoningTokens),
		reasoningTokens
	};
	const price = priceOf(model, prices);
	const cost = price ? costOf(tokens, price) : NaN;
	return cost >= 0 && cost <= most$1 ? {
		...tokens,
		cost,
		unpricedTurns: 0
	} : {
		...tokens,
		cost: 0,
		unpricedTurns: 1
	};
}
/** A bound that no turn reaches; sums of that many stay exact. */
var most$1 = 0xe8d4a51000;
/** Returns 0 for an invalid count: a limit on tokens adds them up, and must only ever grow. */
var countOf = (count) => typeof count === "number" && count >= 0 && count <= most$1 ? count : 0;
function priceOf({ modelId, provider }, prices) {
	if (!prices) return void 0;
	if (typeof prices === "function") return prices(modelId, provider);
	return Object.hasOwn(prices, modelId) ? prices[modelId] : void 0;
}
function costOf(tokens, price) {
	const plainInput = Math.max(0, tokens.inputTokens - tokens.cachedInputTokens - tokens.cacheWriteTokens);
	const plainOutput = Math.max(0, tokens.outputTokens - tokens.reasoningTokens);
	return (plainInput * price.input + tokens.cachedInputTokens * (price.cachedInput ?? price.input) + tokens.cacheWriteTokens * (price.cacheWrite ?? price.input) + plainOutput * price.output + tokens.reasoningTokens * (price.reasoning ?? price.output)) / 1e6;
}
// ../packages/core/src/state.ts
var initialState = Object.freeze({
	runId: "",
	agent: "",
	version: "",
	seq: 0,
	startedAt: 0,
	updatedAt: 0,
	iteration: 0,
	history: [],
	compactions: 0,
	pending: [],
	asks: [],
	notes: {},
	usage: noUsage,
	toolCalls: 0,
	request: {
		seq: 0,
		startedAt: 0,
		iteration: 0,
		toolCalls: 0,
		usage: noUsage,
		restedMs: 0
	},
	extensions: {},
	allowed: void 0,
	questions: void 0,
	rest: void 0,
	drafted: void 0,
	draft: void 0
});
var pageSize = 64;
/** The list with one more item at its end. */
function append(pages, item) {
	const last = pages.at(-1);
	if (!last || last.length >= pageSize) return [...pages, [item]];
	return pages.with(-1, [...last, item]);
}
/** The list with its last item replaced. */
function replaceLast(pages, item) {
	const last = pages.at(-1);
	return last ? pages.with(-1, last.with(-1, item)) : [[item]];
}
var lastOf = (pages) => pages.at(-1)?.at(-1);
function lengthOf(pages) {
	const last = pages.at(-1);
	return last ? (pages.length - 1) * pageSize + last.length : 0;
}
var itemAt = (pages, index) => pages[Math.floor(index / pageSize)]?.[index % pageSize];
/** The latest turn, if the history ends with one. */
function latestTurn(state) {
	const last = lastOf(state.history);
	return last?.type === "turn" ? last : void 0;
}
/** Calls of the latest turn that have no result yet. */
function openCalls(state) {
	const calls = latestTurn(state)?.calls ?? none$3;
	return calls.every(isOpen$1) ? calls : calls.filter(isOpen$1);
}
var isOpen$1 = ({ result }) => !result;
var none$3 = [];
/** Returns true if the model must be called: a message is pending, a result is unread, or its last turn was cut off. */
function awaitsThought(state) {
	if (openCalls(state).length > 0) return false;
	if (state.pending.length > 0) return true;
	const last = lastOf(state.history);
	if (last?.type !== "turn") return lengthOf(state.history) > 0;
	if (last.calls.some(({ final }) => final)) return false;
	return last.error !== void 0 || last.calls.length > 0 || awaitsProvider(last);
}
/** Returns true if the provider runs one of its own tools and reports the result in a later turn. */
function awaitsProvider({ finish, parts }) {
	if (finish?.unified !== "tool-calls" && finish?.raw !== "pause_turn") return false;
	const told = new Set(parts.map((part) => part.type === "tool-result" ? part.toolCallId : void 0));
	return parts.some((part) => part.type === "tool-call" && part.providerExecuted === true && !told.has(part.toolCallId));
}
/** Returns the notes of a call of the latest turn, or of the run itself. */
function notesOf(state, call) {
	if (call === void 0) return state.notes;
	return latestTurn(state)?.calls.find(({ key }) => key === call)?.notes ?? {};
}
/** Replaces a call that is open. Those are only ever in the latest turn: the model is not asked again before each has its result. */
function changeCall$1(state, key, update) {
	const turn = lastOf(state.history);
	if (turn?.type !== "turn") return;
	const index = turn.calls.findIndex((call) => call.key === key);
	const call = turn.calls[index];
	if (call) state.history = replaceLast(state.history, {
		...turn,
		calls: turn.calls.with(index, update(call))
	});
}
/** The calls of a turn that are ours to run or to allow, in the order of the model. */
function callsOf$1({ parts }, iteration) {
	const calls = [];
	for (const part of parts) {
		const key = `${iteration}/tool/${calls.length}`;
		if (part.type === "tool-approval-request") calls.push(toApproval(part, parts, key));
		if (part.type !== "tool-call" || part.providerExecuted) continue;
		const { toolCallId: id, toolName: name, input, invalid } = part;
		calls.push({
			key,
			id,
			name,
			input,
			...invalid && { invalid }
		});
	}
	return calls;
}
/** Converts a provider's approval request for its own tool call to one of ours. */
function toApproval({ approvalId, toolCallId: id }, parts, key) {
	const asked = parts.find((part) => part.type === "tool-call" && part.toolCallId === id);
	const { toolName: name, input } = asked?.type === "tool-call" ? asked : {
		toolName: "a tool of the provider",
		input: null
	};
	return {
		key,
		id,
		name,
		input,
		approvalId
	};
}
/** The id of the question whether a call that was interrupted is to run again. */
var doubtOf = (call) => `${call}/doubt`;
/** The note that a call could not be persisted, and was therefore not started. */
var unbegunOf = (call) => `${call}/unbegun`;
// ../packages/core/src/part.ts
/** Returns true if a message contains nothing for a model. Untyped callers may pass no message at all. */
var isBlank = (content) => !content || Array.isArray(content) && content.every((part) => part?.type === "text" && part.text === "");
/**
* Converts a file part to the model interface. Returns other parts unchanged, and undefined for a file that no provider
* could read.
*/
function readFilePart(given) {
	if (!isObject(given) || given.type !== "file" && given.type !== "image") return given;
	const { type, data, image, url, mimeType, mediaType, ...others } = given;
	const read = readData(data ?? image ?? url);
	const media = mediaType ?? mimeType ?? read?.mediaType ?? (type === "image" ? "image" : void 0);
	if (!read || typeof media !== "string" || media === "") return void 0;
	return {
		...others,
		type: "file",
		mediaType: media,
		data: read.data
	};
}
/** The valid shapes of a file, for messages. */
var fileAdvice = "{ type: \"file\", mediaType: \"image/png\", data }, with `data` as base64, a URL or bytes, such as await file.arrayBuffer()";
function readData(given) {
	if (typeof given === "string") return isAddress(given) ? readAddress(given) : readBase64(given);
	if (isUrl(given)) return readAddress(given.href);
	const bytes = bytesOf(given);
	if (bytes) return { data: {
		type: "data",
		data: bytes
	} };
	return isObject(given) ? readTagged(given) : void 0;
}
function readTagged(given) {
	switch (given.type) {
		case "data": return typeof given.data === "string" ? readBase64(given.data) : bytesOf(given.data) && readData(given.data);
		case "url": return isUrl(given.url) || typeof given.url === "string" ? readAddress(String(given.url)) : void 0;
		case "text": return typeof given.text === "string" ? { data: {
			type: "text",
			text: given.text
		} } : void 0;
		case "reference": return readReference(given.reference);
		default: return readReference(given);
	}
}
/** The ids of an uploaded file, by provider. */
function readReference(given) {
	if (!isObject(given)) return void 0;
	const ids = Object.values(given);
	return ids.length > 0 && ids.every((id) => typeof id === "string") ? { data: {
		type: "reference",
		reference: given
	} } : void 0;
}
/** Judged by its tag, since each frame has classes of its own. */
var isUrl = (given) => Object.prototype.toString.call(given) === "[object URL]";
function bytesOf(given) {
	if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
	return Object.prototype.toString.call(given) === "[object ArrayBuffer]" ? new Uint8Array(given) : void 0;
}
var isAddress = (text) => /^[a-z][a-z0-9+.-]{1,31}:/i.test(text);
function readAddress(address) {
	if (/^blob:/i.test(address)) return void 0;
	if (!/^data:/i.test(address)) return URL.canParse(address) ? { data: {
		type: "url",
		url: new URL(address)
	} } : void 0;
	const comma = address.indexOf(",");
	if (comma < 0) return void 0;
	const [mediaType = "", ...parameters] = address.slice(5, comma).split(";");
	const content = address.slice(comma + 1);
	const read = parameters.at(-1)?.toLowerCase() === "base64" ? readBase64(content) : readText$1(content);
	return read && {
		...read,
		mediaType: mediaType || "text/plain"
	};
}
var readBase64 = (data) => data === "" || /[^A-Za-z0-9+/_=\s-]/.test(data) ? void 0 : { data: {
	type: "data",
	data
} };
function readText$1(encoded) {
	try {
		return { data: {
			type: "text",
			text: decodeURIComponent(encoded)
		} };
	} catch {
		return;
	}
}
/**
* Returns message content that may be stored in a log. Content that cannot be read back would make the whole run
* unreadable.
*/
function plainContent(content) {
	if (typeof content === "string") return content;
	const plain = asPlain(withFiles(content, "A message"));
	const wrong = misfitOfParts(plain);
	assertOption(wrong === void 0, `A message has a wrong or missing "${wrong || "content"}". Give a text, or a list of parts of type "text" and "file".`);
	return plain;
}
/** Messages of an earlier conversation, likewise. */
function plainMessages(messages) {
	const plain = asPlain(Array.isArray(messages) ? messages.map(withFilesInside) : messages);
	const wrong = Array.isArray(plain) ? firstOf(plain, misfitOfMessage) : "";
	assertOption(wrong === void 0, `The history has a wrong or missing "${wrong || "message"}". Give messages such as { role: "user", content: [{ type: "text", text }] }.`);
	return plain;
}
var withFilesInside = (message) => isObject(message) ? {
	...message,
	content: withFiles(message.content, "The history")
} : message;
/**
* Converts files to the model interface. Throws for a file that no provider could read, because it would be dropped
* silently.
*/
function withFiles(content, owner) {
	if (!Array.isArray(content)) return content;
	return content.map((part) => {
		const read = readFilePart(part);
		assertOption(read !== void 0, `${owner} has a file that cannot be read. Give ${fileAdvice}.`);
		return read;
	});
}
/** Returns the path to the first that does not fit. */
function firstOf(list, misfitOf) {
	for (const [index, item] of list.entries()) {
		const wrong = misfitOf(item);
		if (wrong !== void 0) return wrong ? `${index}.${wrong}` : `${index}`;
	}
}
var misfitOfParts = (parts) => Array.isArray(parts) ? firstOf(parts, misfitOfPart) : "";
function misfitOfPart(part) {
	if (!isObject(part)) return "";
	if (part.type === "text") return typeof part.text === "string" ? void 0 : "text";
	if (part.type === "file") return isObject(part.data) ? void 0 : "data";
	return part.type === "custom" ? void 0 : "type";
}
function misfitOfMessage(message) {
	if (!isObject(message)) return "";
	const { role, content } = message;
	if (role === "system") return typeof content === "string" ? void 0 : "content";
	if (role !== "user" && role !== "assistant" && role !== "tool") return "role";
	if (!Array.isArray(content)) return "content";
	const wrong = firstOf(content, role === "user" ? misfitOfPart : role === "tool" ? misfitOfAnswer : misfitOfTurnPart);
	return wrong === void 0 ? void 0 : `content.${wrong}`;
}
var misfitOfTurnPart = (part) => isObject(part) && typeof part.type === "string" ? void 0 : "type";
/** A part of a tool message. */
function misfitOfAnswer(part) {
	if (!isObject(part)) return "";
	if (part.type === "tool-approval-response") return void 0;
	return part.type === "tool-result" && isResult(part.output) ? void 0 : "output";
}
/** Returns true if a model can receive it as the result of a call. */
function isResult(output) {
	if (!isObject(output)) return false;
	const { type, value } = output;
	if (type === "execution-denied") return true;
	if (type === "content") return misfitOfParts(value) === void 0;
	if (type === "text" || type === "error-text") return typeof value === "string";
	return (type === "json" || type === "error-json") && value !== void 0;
}
// ../packages/core/src/message.ts
/**
* Converts a history entry to messages for the model. Omits a failed turn, since it is requested again. The messages
* share no object with the entry, because a model or a middleware may change its prompt.
*/
function toMessages(entry) {
	switch (entry.type) {
		case "messages": return entry.messages.map(reviveMessage);
		case "said": return isBlank(entry.content) ? [] : [{
			role: "user",
			content: toUserParts(entry.content)
		}];
		case "turn": return turnToMessages(entry);
	}
}
/** Returns a copy of a part. The log is plain JSON, and the model interface wants URL objects. */
function revivePart(given) {
	const part = copyJson(given);
	const { data } = part;
	if (data?.type === "url") data.url = new URL(String(data.url));
	return part;
}
function reviveMessage(message) {
	const { role, content } = message;
	const copy = copyJson({
		...message,
		content: ""
	});
	if (role === "system") return {
		...copy,
		role,
		content
	};
	if (role === "user") return {
		...copy,
		role,
		content: content.map(revivePart)
	};
	if (role === "assistant") return {
		...copy,
		role,
		content: content.map(revivePart)
	};
	return {
		...copy,
		role,
		content: content.map(reviveResult)
	};
}
function reviveResult(part) {
	return part.type === "tool-result" ? {
		...copyJson({
			...part,
			output: ""
		}),
		output: reviveOutput(part.output)
	} : copyJson(part);
}
var reviveOutput = (output) => output.type === "content" ? {
	...output,
	value: output.value.map(revivePart)
} : copyJson(output);
function toUserParts(content) {
	if (typeof content === "string") return [{
		type: "text",
		text: content
	}];
	return content.filter((part) => part.type !== "text" || part.text !== "").map(revivePart);
}
function turnToMessages(turn) {
	const content = turn.error ? keptOfCutTurn(turn) : wholeTurn(turn);
	if (content.length === 0) return [];
	const assistant = {
		role: "assistant",
		content
	};
	return turn.calls.length === 0 ? [assistant] : [assistant, toToolMessage(turn)];
}
/** Returns the parts with the inputs that actually ran, including edits by a user. */
function wholeTurn({ parts, calls }) {
	const ours = calls.every(isOurs) ? calls : calls.filter(isOurs);
	const content = [];
	let index = 0;
	for (const part of parts) {
		const converted = isOurCall(part) ? toCallPart(part, ours[index++]?.input) : toAssistantPart(part);
		if (converted) content.push(converted);
	}
	return content;
}
var isOurs = ({ approvalId }) => approvalId === void 0;
var isOurCall = (part) => part.type === "tool-call" && !part.providerExecuted;
/**
* Returns the parts of a stopped turn that the model sees: its text. Unfinished reasoning has no signature, and
* providers reject it.
*/
function keptOfCutTurn({ error, parts }) {
	if (error?.code !== "stopped") return [];
	return parts.filter((part) => part.type === "text").flatMap((part) => toAssistantPart(part) ?? []);
}
/** A result carries the metadata of its call too: some providers look for it there. */
function toToolMessage({ calls, parts }) {
	const ours = parts.filter(isOurCall);
	let index = 0;
	return {
		role: "tool",
		content: calls.map((call) => call.approvalId === void 0 ? toResultPart(call, ours[index++]) : toApprovalPart(call, call.approvalId))
	};
}
function resultOf({ result }) {
	return result ? reviveOutput(result) : {
		type: "error-text",
		value: "The call has no result."
	};
}
function toResultPart(call, asked) {
	const part = {
		type: "tool-result",
		toolCallId: call.id,
		toolName: call.name,
		output: resultOf(call)
	};
	return asked?.providerMetadata ? {
		...part,
		providerOptions: copyJson(asked.providerMetadata)
	} : part;
}
var isApproved = (value) => Object(value).approved === true;
function toApprovalPart(call, approvalId) {
	const output = resultOf(call);
	const approved = output.type === "json" && isApproved(output.value);
	const reason = output.type === "execution-denied" ? output.reason : void 0;
	return {
		type: "tool-approval-response",
		approvalId,
		approved,
		...reason && { reason }
	};
}
/**
* Converts a part to what providers expect back: metadata such as reasoning signatures becomes provider options, and
* sources are omitted.
*/
function toAssistantPart(given) {
	if (given.type === "tool-call") return toCallPart(given);
	const { providerMetadata, ...part } = given;
	const options = providerMetadata && { providerOptions: copyJson(providerMetadata) };
	switch (part.type) {
		case "text": return part.text === "" && !options ? void 0 : {
			...part,
			...options
		};
		case "reasoning":
		case "file":
		case "reasoning-file":
		case "custom": return {
			...copyJson(part),
			...options
		};
		case "tool-result": {
			const { type, toolCallId, toolName, result, isError } = part;
			return {
				type,
				toolCallId,
				toolName,
				output: {
					type: isError ? "error-json" : "json",
					value: copyJson(result)
				},
				...options
			};
		}
		case "source":
		case "tool-approval-request": return;
	}
}
/** `ran` is the input with which a call of ours ran. */
function toCallPart(part, ran = part.input) {
	const { type, toolCallId, toolName, invalid, providerExecuted, providerMetadata } = part;
	const call = {
		type,
		toolCallId,
		toolName,
		input: copyJson(invalid && typeof ran === "string" ? {} : ran)
	};
	if (providerExecuted) call.providerExecuted = providerExecuted;
	if (providerMetadata) call.providerOptions = copyJson(providerMetadata);
	return call;
}
/**
* The maximum length of a copied prompt. Models and tests may keep their prompt, so they get a copy. A longer list is
* passed as it is and grows with the next turn, because copying it each time would make long runs ever slower.
*/
var longest$2 = 512;
var promptBuilder = () => new GrowingPrompt();
var GrowingPrompt = class {
	/** It only grows, since a model may still have it. Whatever would change in it makes another list. */
	#messages = [];
	#instructions = "";
	#entries = 0;
	#compactions = 0;
	/** The latest entry, and the start of its messages. */
	#latest = void 0;
	#begin = 0;
	messages(state, instructions = "") {
		if (state.compactions !== this.#compactions) this.#beginAt(state);
		if (instructions !== this.#instructions) this.#instruct(instructions);
		this.#catchUp(state);
		if (this.#messages.length > longest$2 && state.pending.length === 0) return this.#messages;
		const messages = this.#messages.slice();
		for (const said of state.pending) messages.push(...toMessages(said));
		return messages;
	}
	/** Begins with the latest compaction. */
	#beginAt({ compacted, compactions }) {
		const replaced = (compacted?.messages ?? []).map(reviveMessage);
		this.#messages = [...headOf(this.#instructions), ...replaced];
		this.#entries = compacted?.from ?? 0;
		this.#compactions = compactions;
		this.#latest = void 0;
	}
	#instruct(instructions) {
		const head = headOf(instructions);
		const before = headOf(this.#instructions).length;
		this.#messages = [...head, ...this.#messages.slice(before)];
		this.#begin += head.length - before;
		this.#instructions = instructions;
	}
	/**
	* Converts new entries. Entries are final once the model is called again, so converted ones stay until a compaction.
	* The latest one may have been amended since.
	*/
	#catchUp({ history }) {
		if (this.#latest && itemAt(history, this.#entries - 1) !== this.#latest) {
			this.#messages = this.#messages.slice(0, this.#begin);
			this.#entries--;
		}
		for (const end = lengthOf(history); this.#entries < end; this.#entries++) {
			this.#latest = itemAt(history, this.#entries);
			this.#begin = this.#messages.length;
			if (this.#latest) for (const message of toMessages(this.#latest)) this.#messages.push(message);
		}
	}
};
var headOf = (instructions) => instructions ? [{
	role: "system",
	content: instructions
}] : [];
/** Returns the messages before the latest turn, for a tool that this turn calls. */
function messagesBefore({ history, ...state }) {
	const page = history.at(-1) ?? [];
	return promptBuilder().messages({
		...state,
		history: history.with(-1, page.slice(0, -1)),
		pending: []
	});
}
// ../packages/core/src/schema.ts
/** Accepts every value unchanged. */
var accept = (value) => ({
	ok: true,
	value
});
/** JSON Schema has a keyword `then`, so having one does not make a promise. */
var isLoading = (json) => "then" in json && typeof json.then === "function";
/** Converts a JSON Schema, immediately if it is loaded. */
var whenLoaded = (json, make) => isLoading(json) ? json.then(make) : make(json);
var compiled = /* @__PURE__ */ new WeakMap();
/**
* Compiles a Standard Schema, the AI SDK's `jsonSchema()`, or a function that returns one of them. Compiled once per
* schema object, also across agents.
*/
function compileSchema(schema, owner) {
	if (schema === null || typeof schema !== "object" && typeof schema !== "function") throw unsupported(owner);
	return cached(compiled, schema, () => compile(schema, owner));
}
function compile(schema, owner) {
	if ("~standard" in schema) return compileStandard(schema["~standard"], owner);
	if ("jsonSchema" in schema) return compileWrapped(schema);
	if (typeof schema === "function") return compileSchema(schema(), owner);
	throw unsupported(owner);
}
function compileStandard(standard, owner) {
	let json;
	return {
		get json() {
			if (!standard.jsonSchema) throw new AgentError("schema_unsupported", `${owner} has a schema (${standard.vendor}) without JSON Schema. Use zod 4.2 or later, or wrap it with the AI SDK's jsonSchema().`);
			json ??= closeObjects(convert(standard.jsonSchema, owner));
			return json;
		},
		check(value) {
			const result = standard.validate(value);
			return result instanceof Promise ? result.then(toChecked) : toChecked(result);
		}
	};
}
function convert({ input }, owner) {
	try {
		return input({ target: "draft-07" });
	} catch (error) {
		throw new AgentError("schema_unsupported", `${owner} has a schema that is not JSON Schema: ${messageOf(error)}.`, { cause: error });
	}
}
function compileWrapped(schema) {
	return {
		get json() {
			return schema.jsonSchema;
		},
		check(value) {
			if (!schema.validate) return whenLoaded(schema.jsonSchema, (json) => checkBy(json, value));
			const result = schema.validate(value);
			return "then" in result ? result.then(unwrap) : unwrap(result);
		}
	};
}
/** A schema without a function of its own to check with still says which types it wants. */
function checkBy(json, value) {
	const message = misfitOf$2(value, json);
	return message === void 0 ? accept(value) : {
		ok: false,
		message
	};
}
var unwrap = (result) => result.success ? accept(result.value) : {
	ok: false,
	message: result.error.message
};
function toChecked(result) {
	if (!result.issues) return accept(result.value);
	return {
		ok: false,
		message: describeIssues(result.issues)
	};
}
var maxIssues = 50;
/** The issues come from the schema's library or from the app, so they may be of any kind and number. */
function describeIssues(issues) {
	const shown = [];
	for (let i = 0; i < issues.length && i < maxIssues; i++) shown.push(describeIssue(issues[i]));
	return issues.length > maxIssues ? `${shown.join("; ")}; and ${issues.length - maxIssues} more` : shown.join("; ");
}
function describeIssue(issue) {
	const keys = Array.from((issue?.path ?? []).slice(0, maxIssues), (part) => wordsOf$1(typeof part === "object" ? part.key : part));
	const message = wordsOf$1(issue?.message);
	return keys.length > 0 ? `${keys.join(".")}: ${message}` : message;
}
var wordsOf$1 = (value) => typeof value === "object" || typeof value === "function" ? messageOf(value) : String(value);
/**
* Providers with strict tools want `additionalProperties: false` on every object that does not say otherwise. Not in
* `allOf`: a value has to fit all of its parts, and would fit none that is closed to the others.
*/
function closeObjects(schema) {
	const closed = { ...schema };
	for (const key of [
		"items",
		"anyOf",
		"oneOf",
		"additionalProperties"
	]) if (closed[key]) closed[key] = close$2(closed[key]);
	for (const key of ["properties", "definitions"]) if (closed[key]) closed[key] = mapValues$1(closed[key], close$2);
	if ([schema.type].flat().includes("object") && typeof schema.additionalProperties !== "object") closed.additionalProperties = false;
	return closed;
}
/** A schema, or several of them. `true` and `false` are schemas too. */
var close$2 = (value) => Array.isArray(value) ? value.map(close$2) : typeof value === "object" ? closeObjects(value) : value;
var mapValues$1 = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
var unsupported = (owner) => new AgentError("schema_unsupported", `${owner} needs a schema, such as z.object({ … }) or jsonSchema().`);
var types = {
	object: isObject,
	array: Array.isArray,
	string: (value) => typeof value === "string",
	number: (value) => typeof value === "number",
	integer: (value) => Number.isInteger(value),
	boolean: (value) => typeof value === "boolean",
	null: (value) => value === null
};
/**
* Returns how a value does not fit the type that a JSON Schema has for it as a whole, or undefined if it does. Members are left to the
* tool: many schemas in use say something else of them than the tool takes.
*/
function misfitOf$2(value, schema) {
	if (!isObject(schema)) return void 0;
	const { type = isObject(schema.properties) ? "object" : [] } = schema;
	const wanted = [type].flat();
	const known = wanted.every((name) => typeof name === "string" && Object.hasOwn(types, name));
	if (wanted.length === 0 || !known || wanted.some((name) => types[String(name)]?.(value))) return void 0;
	return `expected ${wanted.join(" or ")}, and this is ${nameOf$1(value)}`;
}
function nameOf$1(value) {
	if (value === null || value === void 0) return String(value);
	if (Array.isArray(value)) return "an array";
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
// ../packages/core/src/tool.ts
/** A tool: the AI SDK's own shape, with `effect`, `approve`, `timeoutMs`, and `ask` and `once` for its function. */
function tool(options) {
	refuseUnknown("tool()", options, toolOptions, sdkOptions);
	return options;
}
var toolOptions = {
	description: true,
	inputSchema: true,
	outputSchema: true,
	execute: true,
	effect: true,
	approve: true,
	timeoutMs: true,
	toModelOutput: true,
	next: true,
	onInputStart: true,
	onInputDelta: true,
	onInputAvailable: true,
	needsApproval: true,
	providerOptions: true,
	strict: true,
	inputExamples: true,
	type: true,
	title: true,
	metadata: true,
	contextSchema: true,
	deferLoading: true,
	id: true,
	args: true,
	isProviderExecuted: true,
	supportsDeferredResults: true
};
/** Reads the description of a tool, whichever library wrote it, or throws what is wrong with it. */
function toToolSpec(name, description) {
	const owner = `tool "${name}"`;
	checkToolName(`The ${owner}`, name);
	assertOption(description && typeof description === "object", `The ${owner} is not a tool. Make one with tool({ … }).`);
	const given = description;
	const { execute, effect = "once", approve = policyOf(given), timeoutMs } = given;
	checkType(given.description, `\`description\` of the ${owner}`, "a string or a function");
	checkType(execute, `\`execute\` of the ${owner}`, "a function");
	checkType(given.next, `\`next\` of the ${owner}`, "an object or a function");
	assertOption(isEffect(effect), `The \`effect\` of the ${owner} must be "pure", "idempotent" or "once".`);
	assertOption(timeoutMs === void 0 || typeof timeoutMs === "number" && timeoutMs > 0, `The \`timeoutMs\` of the ${owner} must be a number above 0.`);
	const rule = isRule(approve) ? approve : void 0;
	const when = rule ? rule.when : approve;
	const policy = typeof when === "boolean" ? when ? "always" : "never" : when;
	assertOption(policy === "always" || policy === "never" || typeof policy === "function", `The \`approve\` of the ${owner} must be "always", "never" or (input, state) => boolean, or { when } with one of these.`);
	const schemas = {
		schema: schemaOf$1(owner, given),
		output: outputOf$2(owner, given)
	};
	return Object.freeze({
		...given,
		...schemas,
		name,
		effect,
		approve: policy,
		allowing: rule && allowingOf(owner, rule),
		provider: providerOf(given)
	});
}
var isRule = (approve) => typeof approve === "object" && approve !== null;
/** Reads the most that a reply may allow. */
function allowingOf(owner, { when: _, allow, allowBy, ...unknown }) {
	const areKeys = Array.isArray(allowBy) && allowBy.length > 0 && allowBy.every((key) => typeof key === "string");
	assertOption([
		void 0,
		"once",
		"input",
		"tool"
	].includes(allow) && (allowBy === void 0 || areKeys) && Object.keys(unknown).length === 0, `The \`approve\` of the ${owner} must be { when, allow, allowBy }: \`allow\` is "once", "input" or "tool", \`allowBy\` a list of keys.`);
	return {
		...allow !== "tool" && allow !== void 0 && { allow },
		...areKeys && { allowBy: [...allowBy] }
	};
}
/** Throws if providers refuse it as the name of a tool. */
function checkToolName(owner, name) {
	assertOption(/^[a-zA-Z0-9_-]{1,64}$/.test(name), `${owner} has a name that providers refuse. Use 1 to 64 letters, digits, "_" and "-".`);
}
var isEffect = (effect) => effect === "pure" || effect === "idempotent" || effect === "once";
function schemaOf$1(owner, { inputSchema, type }) {
	if (inputSchema === void 0 && type === "provider") return {
		json: { type: "object" },
		check: accept
	};
	assertOption(inputSchema !== void 0, `The ${owner} needs an inputSchema. For a tool without arguments use z.object({}).`);
	return compileSchema(inputSchema, `The ${owner}`);
}
var outputOf$2 = (owner, { outputSchema }) => outputSchema === void 0 ? void 0 : compileSchema(outputSchema, `The output of the ${owner}`);
var providerOf = ({ type, id, args = {} }) => type === "provider" ? {
	id,
	args
} : void 0;
/** Converts the AI SDK's field: a policy by input, which receives the messages and not the state. */
function policyOf({ needsApproval = "never" }) {
	if (typeof needsApproval !== "function") return needsApproval;
	return (input, state, toolCallId) => needsApproval(input, {
		toolCallId,
		messages: messagesBefore(state),
		context: void 0
	});
}
/** A failure as the model reads it. */
function failedOutcome(error) {
	const failure = toFailure$1(error, "tool_failed");
	const { code, message } = failure;
	if (code !== "tool_refused") return {
		result: {
			type: "error-text",
			value: messageOf(error)
		},
		error: failure
	};
	if (message) return {
		result: {
			type: "execution-denied",
			reason: message
		},
		error: failure
	};
	return {
		result: { type: "execution-denied" },
		error: {
			...failure,
			message: "Refused."
		}
	};
}
// ../packages/core/src/step.ts
/** Steps one after another; the first signal wins. One pass of a run, from which backends are made. */
function inOrder(...steps) {
	assertOption(steps.length > 0 && steps.every((step) => typeof step === "function"), "This is no step. Give steps such as onText(), or functions of a run.");
	const pass = async (run) => {
		for (const step of steps) {
			if (run.abortSignal.aborted) return void 0;
			const result = step(run);
			const signal = result && "then" in result ? await result : result;
			if (signal) return signal;
		}
	};
	const tools = (agent) => steps.flatMap((step) => step.tools?.(agent) ?? []);
	const mayCall = steps.some((step) => step.mayCall);
	const instructions = steps.flatMap((step) => step.instructions ?? []).join("\n\n");
	return Object.assign(pass, {
		tools,
		mayCall,
		...instructions && { instructions }
	});
}
/**
* Returns the `seq` up to which messages may be in the next turn. Later user messages wait, and so does everything
* after them.
*/
var hearBefore = ({ state, plan: { hearBefore: planned = state.seq } }) => state.pending.find(({ by, seq }) => by === "user" && seq >= planned)?.seq ?? state.seq;
/** Returns the state that a model may see, without messages that must wait, such as those that no guard has checked. */
function hearable(run) {
	const { state } = run;
	const before = hearBefore(run);
	return before === state.seq ? state : {
		...state,
		pending: state.pending.filter(({ seq }) => seq < before)
	};
}
/** The names of the tools that belong to stop rules: with one of them the model ends its work. */
var terminalTools = ({ tools }) => Object.values(tools).flatMap(({ name, terminal }) => terminal ? [name] : []);
/** Returns the latest turn if it is complete plain text without calls. */
function textTurn(state) {
	const turn = latestTurn(state);
	return !turn || turn.error || turn.calls.length > 0 || awaitsProvider(turn) ? void 0 : turn;
}
/** The end of a run whose provider withheld the answer. */
function withheld({ finish }) {
	if (finish?.unified !== "content-filter") return void 0;
	return failed(new AgentError("model_filtered", "The provider's content filter withheld the answer."));
}
/**
* Closes all open calls after a stop, so that the conversation can continue. Each result says that the call did not
* run, or may have run.
*/
function closeCalls(run, closes = () => true) {
	for (const { key, calledAt } of openCalls(run.state).filter(closes)) {
		const message = calledAt === void 0 ? "Not run: the user stopped." : "Stopped by the user. It may have happened.";
		run.emit({
			type: "observed",
			call: key,
			ms: 0,
			...failedOutcome(new AgentError("stopped", message))
		});
	}
}
/** Skips the open calls of a turn, for example because a step already has the answer. */
function skipCalls(run, message = "Not run: the answer was there before.") {
	for (const { key } of openCalls(run.state)) run.emit({
		type: "observed",
		call: key,
		ms: 0,
		...failedOutcome(new AgentError("tool_skipped", message))
	});
}
// ../packages/core/src/question.ts
/** Returns true for a reply that declines. */
var isDeclined = (reply) => isRecord$1(reply) && (reply.$reply === "declined" || reply.$reply === "cancelled");
/**
* Validates a reply against a question, as far as plain data allows. A form's schema is checked where the form was
* created.
*/
function checkReply(question, reply) {
	const problem = question.declinable && isDeclined(reply) ? void 0 : problemWith(question, reply);
	return problem ? {
		ok: false,
		message: problem
	} : {
		ok: true,
		value: reply
	};
}
function problemWith(question, reply) {
	switch (question.kind) {
		case "choice": return isOption(question, reply) ? void 0 : `Choose one of ${listOf(question)}.`;
		case "choices": return problemWithChoices(question, reply);
		case "confirm": return typeof reply === "boolean" ? void 0 : "Answer true or false.";
		case "text": return problemWithText(question, reply);
		case "form": return reply === void 0 ? "Fill in the form." : void 0;
		case "link": return reply === "done" ? void 0 : "Answer \"done\".";
		case "approval": return problemWithApproval(question, reply);
		case "extension": return problemWithExtension(reply);
	}
}
function problemWithChoices(question, reply) {
	if (!Array.isArray(reply) || !reply.every((value) => isOption(question, value))) return `Choose from ${listOf(question)}.`;
	if (new Set(reply).size !== reply.length) return "Choose each option at most once.";
	if (reply.length < question.min) return `Choose at least ${question.min}.`;
	return reply.length > question.max ? `Choose at most ${question.max}.` : void 0;
}
function problemWithText({ minLength, maxLength }, reply) {
	if (typeof reply !== "string") return "Answer with text.";
	if (reply.length < minLength) return `Write at least ${minLength} characters.`;
	return reply.length > maxLength ? `Write at most ${maxLength} characters.` : void 0;
}
/** Returns true if a reply to this question may allow later calls in this way. */
var mayAllow = ({ allow }, always) => always === "input" ? allow !== "once" : always === "tool" && allow === void 0;
function problemWithApproval(question, reply) {
	if (!isRecord$1(reply) || typeof reply.approved !== "boolean") return "Answer { approved: true | false }.";
	const { approved, always } = reply;
	if (always === void 0 || approved && mayAllow(question, always)) return void 0;
	return `This answer cannot have \`always\`: ${JSON.stringify(always)}. Leave it out, to answer for this call alone.`;
}
function problemWithExtension(reply) {
	if (isRecord$1(reply) && reply.finish === true) return void 0;
	return isRecord$1(reply) && typeof reply.extend === "number" && reply.extend > 0 && Number.isFinite(reply.extend) ? void 0 : "Answer { extend: a number above 0 } or { finish: true }.";
}
var isRecord$1 = (value) => typeof value === "object" && value !== null;
var isOption = ({ options }, value) => options.some((option) => option.value === value);
var listOf = ({ options }) => options.map(({ value }) => JSON.stringify(value)).join(", ");
// ../packages/core/src/ask.ts
/** One of several. */
function choice(question) {
	return asking({
		kind: "choice",
		prompt: question.prompt,
		options: toOptions(question.options)
	});
}
/** Yes or no. */
function confirm(question) {
	const { prompt, yes = "Yes", no = "No" } = question;
	return asking({
		kind: "confirm",
		prompt,
		yes,
		no
	});
}
/** Returns an address that a user may be sent to; undefined for others, such as `javascript:`. */
function linkAddress(written) {
	if (written.length > 4e3 || !URL.canParse(written)) return void 0;
	const url = new URL(written);
	const isLocal = url.protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
	return (url.protocol === "https:" || isLocal) && url.username === "" && url.password === "" ? url : void 0;
}
/** A question that is checked by its own data alone. */
function asking(question) {
	return {
		question,
		check: (reply) => checkReply(question, reply)
	};
}
function toOptions(options) {
	assertOption(options.length > 0, "A choice without options cannot be answered. Give it one at least.");
	const values = /* @__PURE__ */ new Set();
	return options.map((option) => {
		const given = typeof option === "string" ? {
			value: option,
			label: option
		} : {
			label: option.value,
			...option
		};
		const { value } = given;
		assertOption(value !== "", "An option has an empty `value`. Give each option a `value` of its own.");
		assertOption(!values.has(value), `Two options have the \`value\` "${value}". Give each option a \`value\` of its own.`);
		values.add(value);
		return given;
	});
}
// ../packages/core/src/engine/asks.ts
/** The questions that a call of the latest turn has asked, or the run itself, as they were shown, by id. */
function questionsOf(state, call) {
	if (call === void 0) return state.questions ?? {};
	return latestTurn(state)?.calls.find(({ key }) => key === call)?.questions ?? {};
}
/**
* Returns the id under which this very question was asked before: a reply belongs to the question that was shown.
* Undefined if it was never asked under this key, or only with another prompt, input or schema. In a call only the
* latest question of a key counts, because a user who has answered another one since may have changed their mind.
*/
function idOf$2(asked, questions) {
	let canonical;
	for (const id of Object.keys(questions).reverse()) {
		if (id !== asked.id && keyOf(id) !== asked.id) continue;
		canonical ??= contentOf(asked);
		if (contentOf(questions[id]) === canonical) return id;
		if (asked.call !== void 0) return void 0;
	}
}
/** A question that replaces another one has an id of its own, so that no answer to the old one reaches it. */
var replacing = (key, seq) => `${key}~re${seq}`;
/** Returns the key of a question: its id without the suffix of a repeated question. */
var keyOf = (id) => id.replace(/~re\d+$/, "");
var contentOf = ({ id: _, ...question }) => canonicalJson(toJson(question));
/**
* Returns a question that may be stored in a log. A question that cannot be read back would make the whole run
* unreadable.
*/
function checkQuestion(ask) {
	const wrong = misfitOf$1({ ...ask });
	assertOption(wrong === void 0, `This question cannot be asked: it has a wrong or missing "${wrong}".`);
	return ask;
}
/** The members that a question of each kind must have, and their types. Shapes check the same when a log is read. */
var membersOf$2 = {
	choice: { options: "object" },
	choices: {
		options: "object",
		min: "number",
		max: "number"
	},
	confirm: {},
	text: {},
	form: { schema: "object" },
	link: { url: "string" },
	approval: {
		tool: "string",
		schema: "object"
	},
	extension: {
		limit: "string",
		used: "number",
		allowed: "number",
		suggested: "number"
	}
};
/** The path to the first member of a question that is wrong. */
function misfitOf$1(ask) {
	if (typeof ask.prompt !== "string") return "prompt";
	const kind = String(ask.kind);
	if (!Object.hasOwn(membersOf$2, kind)) return "kind";
	for (const [name, type] of Object.entries(membersOf$2[kind])) if (!(ask[name] === null ? type === "number" : typeof ask[name] === type)) return name;
	return ask.options === void 0 ? void 0 : misfitOfOptions(ask.options);
}
function misfitOfOptions(options) {
	if (!Array.isArray(options)) return "options";
	for (const [index, option] of options.entries()) {
		if (!isObject(option)) return `options.${index}`;
		for (const name of ["value", "label"]) if (typeof option[name] !== "string") return `options.${index}.${name}`;
	}
}
/** The error for a function that continues after its call was abandoned: it cannot ask any more. */
var callOver = () => new AgentError("stopped", "This call is over: it was stopped, or its time was up.");
/** Throws when this is a call, and no open one. */
function checkOpen(state, call) {
	if (call !== void 0 && !openCalls(state).some(({ key }) => key === call)) throw callOver();
}
/** Does something once and persists the result in the log. Concurrent callers get the same result. */
function noteOnce(log, host) {
	const running = /* @__PURE__ */ new Map();
	const run = async ({ key, name, fn, call }) => {
		const body = async () => strictJson(await fn(), `The result of once("${name}")`);
		const value = await (call === void 0 ? host.perform({
			kind: "once",
			key
		}, body) : body());
		checkOpen(log.state, call);
		log.emit({
			type: "noted",
			key,
			value,
			...call !== void 0 && { call }
		});
		await log.durable();
		return value;
	};
	return async (name, fn, call) => {
		const key = call === void 0 ? `once/${name}` : `${call}/once/${name}`;
		const known = notesOf(log.state, call);
		if (Object.hasOwn(known, key)) {
			await log.durable();
			return toJson(known[key]);
		}
		const result = running.get(key) ?? run({
			key,
			name,
			fn,
			call
		}).finally(() => running.delete(key));
		running.set(key, result);
		return toJson(await result);
	};
}
/** Returns the permission that answers this question, if there is one. */
var allowedFor = (all, ask) => ask.kind === "approval" ? all?.findLast((one) => allows(one, ask)) : void 0;
/** Returns true if the tool is as it was, and so is the input, where that counts. */
function allows({ always, ask: was, input }, is) {
	if (was.tool !== is.tool || !mayAllow(is, always) || !sameJson$1(toolOf(was), toolOf(is))) return false;
	return always === "tool" || sameJson$1(compared(was, input), compared(is, is.input));
}
/** Everything about the tool that a user relies on. A child run of the same agent has the same tool. */
var toolOf = ({ from, description, schema, pure, allowBy }) => ({
	agent: from?.agent,
	description,
	schema,
	pure,
	allowBy
});
/** The part of an input that decides whether it is the same. */
function compared({ allowBy }, input) {
	if (!allowBy || !isObject(input)) return input;
	return Object.fromEntries(Object.entries(input).filter(([key]) => allowBy.includes(key)));
}
// ../packages/core/src/steps/input.ts
/**
* Returns the input that equals `edited` as JSON, byte for byte, or says why there is none. A schema may transform its
* input, and `shown` is already transformed: so the change is applied to the model's input, then to the shown one, and
* counts only if the schema turns it into what the user wrote. Members that a transform computes are changed in the
* shown input, if the schema accepts them and only values change, not their types.
*/
async function applyEdit({ schema, given, input, shown, edited }) {
	const isWanted = (checked) => checked.ok && sameJson$1(checked.value, edited);
	if (sameJson$1(edited, shown)) return {
		ok: true,
		value: input
	};
	const again = await schema.check(change$1(given, shown, edited));
	if (isWanted(again)) return again;
	const direct = await schema.check(toJson(edited));
	if (isWanted(direct) || !direct.ok) return direct;
	const made = toJson(direct.value);
	const twice = await schema.check(toJson(made));
	if (twice.ok && sameJson$1(twice.value, made)) return refusal(made);
	const value = changeValue(input, shown, edited);
	return value === void 0 ? refusal(made) : {
		ok: true,
		value: value.changed
	};
}
var refusal = (made) => ({
	ok: false,
	message: `The tool would not run with this input, but with ${canonicalJson(made).slice(0, 1e3)}. Reply with an input that its schema leaves as it is.`
});
/** Makes the change between two values to a third one. */
function change$1(target, before, after) {
	if (sameJson$1(before, after)) return toJson(target);
	if (!isObject(target) || !isObject(before) || !isObject(after)) return toJson(after);
	const changed = {};
	for (const [key, value] of Object.entries(target)) if (Object.hasOwn(after, key) || !Object.hasOwn(before, key)) changed[key] = toJson(value);
	for (const [key, value] of Object.entries(after)) {
		const [was, is] = [own(before, key), own(target, key)];
		changed[key] = was === void 0 || is === void 0 ? toJson(value) : change$1(is, was, value);
	}
	return changed;
}
var own = (object, key) => Object.hasOwn(object, key) ? object[key] : void 0;
/** Makes a change of plain values to a value that may hold others, such as dates. Undefined if types or members change. */
function changeValue(value, before, after) {
	if (sameJson$1(before, after)) return { changed: value };
	if (!sameJson$1(value, before)) return void 0;
	if (typeof value !== "object" || value === null) return typeof value === typeof after && after !== null ? { changed: after } : void 0;
	if (Array.isArray(value) || !isPlain$1(value)) return void 0;
	if (!isObject(before) || !isObject(after) || !sameMembers(before, after)) return void 0;
	const changed = { ...value };
	for (const key of Object.keys(after)) {
		const member = changeValue(value[key], before[key], after[key]);
		if (!member) return void 0;
		changed[key] = member.changed;
	}
	return { changed };
}
var sameMembers = (a, b) => Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => Object.hasOwn(b, key));
/**
* Copies an input for code that may change it. A parsed input may contain class instances, which cannot be copied and
* are passed on. What members share is copied once.
*/
function copyInput(value) {
	if (typeof value !== "object" || value === null) return value;
	return isFlat(value) ? { ...value } : copyObject(value, /* @__PURE__ */ new Map(), 0);
}
/** Returns true for an object of values that nothing can change. */
function isFlat(value) {
	if (Object.getPrototypeOf(value) !== Object.prototype) return false;
	for (const key of Object.keys(value)) {
		const member = value[key];
		if (typeof member === "object" && member !== null) return false;
	}
	return true;
}
function copyObject(value, copies, depth) {
	const known = copies.get(value);
	if (known || depth > maxDepth$1) return known ?? value;
	const copy = shallowCopy(value);
	copies.set(value, copy);
	if (copy === value || !(Array.isArray(copy) || isPlain$1(copy))) return copy;
	const members = copy;
	for (const key of Object.keys(members)) {
		const member = members[key];
		if (typeof member === "object" && member !== null) members[key] = copyObject(member, copies, depth + 1);
	}
	return copy;
}
function shallowCopy(value) {
	if (Array.isArray(value)) return value.slice();
	if (value instanceof Date) return new Date(value);
	if (value instanceof Uint8Array) return value.slice();
	return isPlain$1(value) ? Object.assign(Object.create(Object.getPrototypeOf(value)), value) : value;
}
/**
* Returns an input for display. Throws if the display would be incomplete: users cannot approve what they do not see.
*/
function shownInput(tool, input) {
	const json = toJson(input);
	if (isShown(input, 0)) return json;
	throw new AgentError("tool_input_invalid", `The input of "${tool}" cannot be approved: JSON cannot show all of it, such as a Map or NaN. Let its inputSchema return plain data, dates or URLs.`);
}
function isShown(value, depth) {
	if (typeof value === "number") return Number.isFinite(value);
	if (typeof value === "function" || typeof value === "symbol") return false;
	if (typeof value !== "object" || value === null) return true;
	if (depth > maxDepth$1) return false;
	if (Array.isArray(value)) return value.every((item) => item !== void 0 && isShown(item, depth + 1));
	if (value instanceof Date) return Number.isFinite(value.getTime());
	if (value instanceof URL || value instanceof Uint8Array) return true;
	if (!isPlain$1(value) || "toJSON" in value) return false;
	return Object.values(value).every((member) => isShown(member, depth + 1));
}
var maxDepth$1 = 64;
var curious = /* @__PURE__ */ new WeakMap();
var areCurious = (tools) => cached(curious, tools, () => Object.values(tools).some((spec) => spec.onInputStart ?? spec.onInputDelta));
/** Creates the receiver of a turn's deltas: the run, and the AI SDK tools that read their input while it streams. */
function inputTeller(run) {
	if (!areCurious(run.agent.tools)) return run.live;
	const started = /* @__PURE__ */ new Set();
	let before;
	return (delta) => {
		run.live(delta);
		const spec = delta.tool === void 0 ? void 0 : run.agent.tools[delta.tool];
		if (delta.kind !== "input" || !spec) return;
		const { id = "", delta: inputTextDelta } = delta;
		const name = started.has(id) ? "onInputDelta" : "onInputStart";
		started.add(id);
		before ??= promptBuilder().messages(structuredClone(run.state));
		tell(run, spec[name], {
			toolCallId: id,
			messages: before,
			...name === "onInputDelta" && { inputTextDelta }
		});
	};
}
/** Passes the complete, validated input to the tool's hook. The turn that wrote it is already part of the history. */
function tellWholeInput(run, { onInputAvailable }, { toolCallId, input }) {
	if (onInputAvailable) tell(run, onInputAvailable, {
		toolCallId,
		input,
		messages: messagesBefore(run.state)
	});
}
/** Calls a hook without waiting. Its exceptions are ignored. */
function tell({ abortSignal }, hook, details) {
	const told = async () => hook?.({
		...details,
		abortSignal,
		context: void 0
	});
	told().catch(reportLater);
}
// ../packages/core/src/steps/wait.ts
/** Milliseconds of work after which everything else of the page has its turn. */
var longest$1 = 12;
/** The number of items after which it yields on platforms whose clock stops while code runs, such as Cloudflare. */
var most = 1e4;
/**
* Creates a function that keeps a loop over foreign data from blocking. Call it after each item: it returns a promise
* if timers, clicks and other work have waited long enough, otherwise undefined. It checks the clock every `every`
* items.
*/
function breather(now, every = 1) {
	let since = now();
	let items = 0;
	return () => {
		if (++items % every !== 0 || items < most && now() - since < longest$1) return void 0;
		return othersFirst().then(() => {
			since = now();
			items = 0;
		});
	};
}
/**
* Yields with a message if there are message channels, not with a timer: browsers delay timers of hidden tabs by a
* second.
*/
function othersFirst() {
	return new Promise((resolve) => {
		if (typeof MessageChannel === "undefined") return void setTimeout(resolve);
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {
			port1.close();
			resolve();
		};
		port2.postMessage(null);
	});
}
/** Returns the result of foreign code, or rejects with a stop's reason if that comes first. */
async function orStopped(value, run) {
	const breaker = new Breaker(run);
	try {
		return await breaker.race(Promise.resolve(value), ignore);
	} finally {
		breaker.end();
	}
}
/**
* Writes the queue while a model works, so that a closing page loses nothing. Retries once. The returned promise
* rejects if that fails too: a stale owner requests no further turn.
*/
function keepMeanwhile(run) {
	const keeping = run.durable()?.then(void 0, () => run.durable());
	keeping?.then(void 0, ignore);
	return keeping;
}
/** Abandons work before it is over, whether or not the work listens to its signal. */
var Breaker = class {
	/** Set once the work is abandoned. Boxed, because the reason may be anything, also undefined. */
	broken = void 0;
	/** The breakers of its run. */
	#all;
	#controller = void 0;
	#reject = ignore;
	/** A breaker that abandons its work when the run is stopped. */
	constructor(run) {
		this.#all = breakersOf(run);
		if (run.aborted) this.break(run.reason);
		else this.#all.add(this);
	}
	/** Aborts when the work is abandoned. Created at first access, because few tools use it. */
	get abortSignal() {
		if (!this.#controller) {
			this.#controller = new AbortController();
			if (this.broken) this.#controller.abort(this.broken.reason);
		}
		return this.#controller.signal;
	}
	/** Abandons the work. Only the first reason counts. */
	break(reason) {
		if (this.broken) return;
		this.broken = { reason };
		this.#controller?.abort(reason);
		this.#reject(reason);
	}
	/** Returns the result of the work, or rejects once it is abandoned. Calls `late` if it then still succeeds. */
	race(work, late) {
		return new Promise((resolve, reject) => {
			this.#reject = reject;
			if (this.broken) reject(this.broken.reason);
			work.then((value) => this.broken ? tellLate(late, value) : resolve(value), reject);
		});
	}
	/** The work is over. */
	end() {
		this.#all.delete(this);
	}
};
var breakers = /* @__PURE__ */ new WeakMap();
/** Those that are broken by a stop. A run has one listener: to add and remove one for each call costs more than the call. */
var breakersOf = (run) => cached(breakers, run, () => {
	const those = /* @__PURE__ */ new Set();
	run.addEventListener("abort", () => {
		for (const breaker of those) breaker.break(run.reason);
	});
	return those;
});
/** Reports a late result. Exceptions of the receiver are ignored, since nothing waits for it. */
function tellLate(late, value) {
	try {
		late(value);
	} catch {}
}
var ignore = () => {};
// ../packages/core/src/steps/approve.ts
/** Asks a user for approval if the tool's policy requires it. A refusal throws, and the model reads it. */
function approve(proposal) {
	const decided = decide(proposal);
	return decided instanceof Promise ? decided.then((needed) => approveIf(needed, proposal)) : approveIf(decided, proposal);
}
function approveIf(needed, proposal) {
	const { run, call, input } = proposal;
	return needed || Object.keys(questionsOf(run.state, call.key)).includes(approvalKey(call)) ? askApproval(needed, proposal) : { input };
}
async function askApproval(needed, proposal) {
	const { run, call, activity, spec, input } = proposal;
	const shown = shownInput(spec.name, input);
	const prompt = typeof needed === "string" ? needed : `Allow ${spec.name}?`;
	const { description, effect, allowing } = spec;
	const question = approvalOf({
		...call,
		input: shown
	}, await spec.schema.json, {
		prompt: await run.agent.live?.promptFor(run, spec, prompt) ?? prompt,
		...effect === "pure" && { pure: true },
		...typeof description === "string" && { description },
		...allowing
	});
	/** The edited input has to fit the schema like the model's own, before anything is decided. */
	const check = async (reply) => {
		const plain = await question.check(reply);
		const edited = plain.ok ? plain.value.input : void 0;
		if (edited === void 0) return plain;
		const applied = await applyEdit({
			schema: spec.schema,
			given: givenBy(call),
			input,
			shown,
			edited
		});
		return applied.ok ? {
			ok: true,
			value: {
				approved: true,
				input: edited,
				value: applied.value
			}
		} : applied;
	};
	const { input: edited, value } = await permission(call, activity, {
		...question,
		check
	});
	return edited === void 0 ? {
		input,
		seen: shown
	} : {
		input: value,
		seen: edited,
		edited
	};
}
/** The input as the model gave it, also after the user has changed what runs. */
var givenBy = ({ proposed, input }) => proposed ?? input;
/** Returns whether to ask, or the prompt. */
function decide({ run, call, spec, input }) {
	const { approve: policy } = spec;
	if (typeof policy === "string") return policy === "always";
	return orStopped(policy(copyInput(input), run.state, call.id), run.abortSignal);
}
/** A call that the provider runs, and wants to be allowed first. What comes of it arrives in a later turn. */
async function approveForProvider(call, activity) {
	await permission(call, activity, approvalOf(call, {}, { allow: "once" }));
	return { result: {
		type: "json",
		value: { approved: true }
	} };
}
var approvalKey = ({ key }) => `${key}/approval`;
async function permission(call, activity, asking) {
	const reply = await activity.ask(approvalKey(call), asking);
	if (!reply.approved) throw new AgentError("tool_refused", reply.reason ?? "");
	return reply;
}
var approvalOf = ({ name: tool, input }, schema, details) => asking({
	kind: "approval",
	prompt: `Allow ${tool}?`,
	tool,
	input,
	schema,
	...details
});
/** Returns the input as the tool's schema parses it, or a problem for the model. */
function checkInput({ run, spec }, input) {
	const checking = spec.schema.check(toJson(input));
	const value = (checked) => {
		if (checked.ok) return copyInput(checked.value);
		throw new AgentError("tool_input_invalid", `The input of ${spec.name} does not fit its schema: ${checked.message}`);
	};
	return "then" in checking ? orStopped(checking, run.abortSignal).then(value) : value(checking);
}
// ../packages/core/src/journal.ts
var full = "The journal has no room. Keep the run with exportRun(run), delete old ones with prune(), and resume() it.";
/** Converts a journal's exception to our error. A full journal has its own code, since a user can make room. */
function toJournalError(error, done = "written") {
	if (isAgentError(error)) return error;
	const options = {
		cause: error,
		retryable: true
	};
	if (readThrown(error, ({ name }) => name === "QuotaExceededError", false)) return new AgentError("journal_full", `${full} Nothing of it is lost while this page is open.`, options);
	return new AgentError("journal_failed", `The journal could not be ${done}: ${messageOf(error)}`, options);
}
/**
* Returns true if the run cannot continue because its log is not durable. The step or tool that wrote is not at fault.
*/
var isJournalError = (error) => isAgentError(error) && error.code.startsWith("journal_");
/** The runs of this process, by their journal. */
var working$1 = /* @__PURE__ */ new WeakMap();
/** Marks a run as running here. Returns a function that ends this. */
function workOn(journal, runId) {
	const runs = working$1.get(journal) ?? /* @__PURE__ */ new Set();
	working$1.set(journal, runs.add(runId));
	return () => runs.delete(runId);
}
/** Reads a log from a journal. A read error may be temporary, and is not the caller's fault. */
async function readLog(journal, runId) {
	try {
		return await journal.read(runId);
	} catch (error) {
		throw toJournalError(error, "read");
	}
}
// ../packages/core/src/steps/outcome.ts
/** Returns the outcome of a call from its tool's result. Throws if that cannot be persisted or sent to a model. */
function outcomeOf$1({ run, call, spec, input }, output) {
	const { name, toModelOutput } = spec;
	if (isFailedResult(output)) return failedOutcome(new AgentError("tool_failed", messageIn(toJson(output))));
	if (!toModelOutput) return { result: toResult(strictJson(output, outputOf$1(spec))) };
	return orStopped(toModelOutput({
		toolCallId: call.id,
		input,
		output
	}), run.abortSignal).then((given) => ({
		result: modelOutput(name, given),
		output: toJson(output)
	}));
}
var outputOf$1 = ({ name }) => `The output of the tool "${name}"`;
var toResult = (output) => typeof output === "string" ? {
	type: "text",
	value: output
} : {
	type: "json",
	value: output
};
/** A tool of an MCP server does not throw: it returns its error as content. The call has failed all the same. */
var isFailedResult = (output) => isObject(output) && output.isError === true && ("content" in output || "toolResult" in output);
function messageIn(failed) {
	const { content, toolResult } = isObject(failed) ? failed : {};
	if (!Array.isArray(content)) return JSON.stringify(content ?? toolResult ?? null);
	return content.flatMap((part) => isObject(part) && typeof part.text === "string" ? [part.text] : []).join("\n") || JSON.stringify(content);
}
/**
* Converts a tool's model output to the model interface's format, so that a log can store it. Older names of files and
* images, which AI SDK tools may still return, become parts of type `file`.
*/
function modelOutput(tool, given) {
	const plain = toJson(given);
	const output = isObject(plain) && Array.isArray(plain.value) && plain.type === "content" ? {
		...plain,
		value: plain.value.map((part) => readable(tool, asFile(part)))
	} : plain;
	if (isResult(output)) return output;
	throw new AgentError("tool_failed", `The toModelOutput of "${tool}" gave no result for a model. Give { type, value } of type text, json or content.`);
}
function readable(tool, part) {
	const read = readFilePart(part);
	if (read !== void 0) return toJson(read);
	throw new AgentError("tool_failed", `The toModelOutput of "${tool}" gave a file that cannot be read. Give ${fileAdvice}.`);
}
function asFile(part) {
	if (!isObject(part)) return part;
	const { type, data, url, fileId, providerReference, mediaType, ...others } = part;
	const media = mediaType ?? (String(type).startsWith("image") ? "image" : "application");
	const file = (content) => ({
		...others,
		type: "file",
		mediaType: media,
		data: content
	});
	switch (type) {
		case "file-data":
		case "image-data": return file({
			type: "data",
			data: data ?? null
		});
		case "file-url":
		case "image-url": return file({
			type: "url",
			url: url ?? null
		});
		case "file-id":
		case "image-file-id": return isObject(fileId) ? file({
			type: "reference",
			reference: fileId
		}) : part;
		case "file-reference":
		case "image-file-reference": return file({
			type: "reference",
			reference: providerReference ?? null
		});
		default: return part;
	}
}
/**
* Returns the model's error for a started call whose tool is gone or takes another input. The model must not assume
* that the call never happened.
*/
function outdated(error, { calledAt }) {
	if (!(isAgentError(error) && (error.code === "tool_unknown" || error.code === "tool_input_invalid")) || calledAt === void 0) return error;
	return new AgentError(error.code, `${error.message} This call was started before, and may already have run.`);
}
// ../packages/core/src/steps/executeTool.ts
/**
* Runs a tool's function and returns its outcome, also for a failure. Throws if there is no outcome: the run was
* stopped, the journal failed, or the call may already have run.
*/
async function executeTool(executing) {
	const { run, call, spec, input } = executing;
	const { resumes } = spec;
	const execute = spec.execute && checked$1(executing, spec.execute);
	if (!execute) return outcomeOf$1(executing, await answerElsewhere(executing));
	if (resumes) return outcomeOf$1(executing, await insideRun(executing, execute));
	const effect = {
		kind: "tool",
		key: call.key,
		name: spec.name,
		input
	};
	try {
		return await run.host.perform(effect, () => settle(executing, execute));
	} catch (error) {
		if (isNoResult(error, run)) throw error;
		if (isJournalError(error)) throw new RunFault(error);
		throw new AgentError("tool_interrupted", `${spec.name} was given up: ${messageOf(error)}`, { cause: error });
	}
}
/** Returns a function that starts only if the journal has the claim of its call, and only with what the user saw. */
function checked$1({ run, call: { key }, claimed, seen }, execute) {
	return (input, context) => {
		invariant(run.durableSeq >= claimed, "I1", `${key} would start before its claim is durable.`);
		invariant(seen === void 0 || sameJson$1(input, seen), "I2", `${key} would run with another input than the one that was approved.`);
		return execute(copyInput(input), context);
	};
}
/** Converts an exception of the tool itself to an outcome. */
async function settle(executing, execute) {
	const { run, call } = executing;
	try {
		const execution = new Execution(executing);
		let output;
		try {
			output = await execution.begin(execute);
		} finally {
			execution.end();
		}
		const outcome = outcomeOf$1(executing, output);
		return outcome instanceof Promise ? await outcome : outcome;
	} catch (error) {
		if (isNoResult(error, run)) throw error;
		return failedOutcome(outdated(error, call));
	}
}
var isNoResult = (error, { abortSignal, isFailure }) => abortSignal.aborted || isFailure(error) || isInvariantBroken(error) || isInterruption(error);
/** Returns true if the tool ran elsewhere and was interrupted. */
var isInterruption = (error) => isAgentError(error) && error.code === "tool_interrupted";
/** Runs the function of a tool that `resumes`. It manages its own time and ends by itself, so it is awaited. */
async function insideRun(executing, execute) {
	const { run, call, activity, input } = executing;
	const own = call.calledAt === void 0 && run.mayLackChildren ? run.with({ mayLackChildren: false }) : run;
	const context = new CallContext(executing, run.abortSignal);
	const inside = Object.assign(context, {
		run: own,
		activity,
		call: call.key
	});
	try {
		return await execute(input, inside);
	} catch (error) {
		throw isJournalError(error) ? new RunFault(error) : error;
	}
}
/** A failure of the host's or a child's journal: it ends the run, and the call stays open. */
var RunFault = class {
	cause;
	/** Tells it from any other thrown value, also from one that cannot be read. */
	#isFault = true;
	constructor(cause) {
		this.cause = cause;
	}
	static is(error) {
		return Object(error) === error && #isFault in error;
	}
};
/** A tool without a function is carried out by the app: its result comes as the reply to a form. */
async function answerElsewhere(executing) {
	const { call, activity, spec, input } = executing;
	const prompt = `${spec.name}: ${JSON.stringify(input)}`;
	const schema = await spec.output?.json ?? {};
	const check = spec.output?.check ?? accept;
	return receive(executing, () => activity.ask(`${call.key}/ask/0`, {
		question: {
			kind: "form",
			prompt,
			schema
		},
		check
	}));
}
/**
* One execution of a tool's function. It is raced against its time and against the stop of the run, so it is over then even if the
* tool does not listen. A result that comes later is dropped.
*/
var Execution = class {
	#executing;
	#breaker;
	/** The time that is left, as of the last start. It does not count while the tool waits for a user. */
	#left;
	#startedAt = 0;
	#cancel = void 0;
	constructor(executing) {
		this.#executing = executing;
		this.#breaker = new Breaker(executing.run.abortSignal);
		this.#left = executing.ms;
	}
	begin(execute) {
		const { run, call, activity, spec, input } = this.#executing;
		const breaker = this.#breaker;
		activity.clock = this;
		this.start();
		const result = execute(input, new CallContext(this.#executing, breaker.abortSignal));
		const working = isStream(result) ? lastValue(result, {
			run,
			call,
			spec,
			breaker
		}) : Promise.resolve(result);
		return breaker.race(working, () => run.live({
			type: "dropped",
			call: call.key
		}));
	}
	end() {
		this.stop();
		this.#breaker.end();
		this.#executing.activity.clock = void 0;
	}
	start() {
		if (this.#cancel) return;
		const { host } = this.#executing.run;
		this.#startedAt = host.now();
		this.#cancel = host.timer(this.#left, () => this.#timeOut());
	}
	stop() {
		if (!this.#cancel) return;
		this.#cancel();
		this.#cancel = void 0;
		this.#left = Math.max(0, this.#left - (this.#executing.run.host.now() - this.#startedAt));
	}
	#timeOut() {
		const { spec, ms } = this.#executing;
		this.#breaker.break(new AgentError("tool_timeout", `${spec.name} took longer than ${ms} ms.`));
	}
};
var isStream = (result) => typeof result === "object" && result !== null && Symbol.asyncIterator in result;
/** Returns the last value that a generator yields. Stops the generator once the call is over. */
async function lastValue(values, { run, call, spec, breaker }) {
	const breathe = breather(() => run.host.now());
	let last;
	for await (const value of values) {
		last = value;
		if (breaker.broken) break;
		const output = spec.toModelOutput ? toJson(value) : strictJson(value, outputOf$1(spec));
		run.live({
			type: "progressed",
			call: call.key,
			output
		});
		const pause = breathe();
		if (pause) await pause;
	}
	return last;
}
/**
* The context of a tool's function. All members are own properties, because a tool that wraps another may pass on a
* copy.
*/
var CallContext = class CallContext {
	toolCallId;
	toolName;
	runId;
	idempotencyKey;
	abortSignal;
	context = void 0;
	ask;
	once;
	#executing;
	#asked = 0;
	constructor(executing, abortSignal) {
		const { run, call, activity } = executing;
		const { runId } = run.state;
		this.toolCallId = call.id;
		this.toolName = call.name;
		this.runId = runId;
		this.idempotencyKey = `${runId}/${call.key}`;
		this.abortSignal = abortSignal;
		this.ask = this.#ask.bind(this);
		this.once = activity.once.bind(activity);
		this.#executing = executing;
		Object.defineProperty(this, "messages", CallContext.#messages);
	}
	/** Costly and seldom read, so made when it is. */
	static #messages = {
		enumerable: true,
		get() {
			return messagesBefore(this.#executing.run.state);
		}
	};
	async #ask(question) {
		const { activity, call } = this.#executing;
		const key = `${call.key}/ask/${this.#asked++}`;
		return receive(this.#executing, async () => {
			const answer = await activity.ask(key, question);
			await claimAgain(this.#executing);
			return answer;
		});
	}
};
/**
* Gives a call the reply to its question. If the journal refuses the reply, the call has not received it, so a user is not asked later
* whether it acted on it. A call that received another reply while this question was open may have acted on that one.
*/
async function receive({ run, call: { key } }, ask) {
	try {
		return await ask();
	} catch (error) {
		const hasActed = openCalls(run.state).find((open) => open.key === key)?.acts;
		if (run.isFailure(error) && !hasActed) run.emit({
			type: "noted",
			call: key,
			key: unbegunOf(key),
			value: true
		});
		throw error;
	}
}
/**
* Claims a call again before it continues with a reply, because what a tool does with a reply must not happen twice.
* Replies that arrive meanwhile wait for the same claim.
*/
async function claimAgain({ run, call: { key }, spec }) {
	if (spec.effect !== "once") return;
	if (openCalls(run.state).some((call) => call.key === key && call.answered)) run.emit({
		type: "called",
		call: key
	});
	await run.durable("strict");
}
// ../packages/core/src/steps/performCall.ts
/** From a call in the log to its observation: look up, check, approve, claim, run. */
async function performCall(run, key, timeoutMs) {
	const call = openCalls(run.state).find((open) => open.key === key);
	if (!call) return;
	const activity = run.activity(key);
	const startedAt = run.host.now();
	try {
		const outcome = await outcomeOf({
			run,
			call,
			activity,
			timeoutMs
		});
		run.emit({
			type: "observed",
			call: key,
			ms: run.host.now() - startedAt,
			...outcome
		});
	} catch (error) {
		throw RunFault.is(error) ? error.cause : error;
	} finally {
		activity.end();
	}
}
async function outcomeOf(performing) {
	const { run, call, activity } = performing;
	try {
		if (call.approvalId !== void 0) return await approveForProvider(call, activity);
		if (call.invalid) throw new AgentError("tool_input_invalid", call.invalid);
		const spec = findTool(run, call.name);
		const checking = checkInput({
			run,
			spec
		}, givenBy(call));
		const proposed = checking instanceof Promise ? await checking : checking;
		tellWholeInput(run, spec, {
			toolCallId: call.id,
			input: copyInput(proposed)
		});
		const approving = approve({
			run,
			call,
			activity,
			spec,
			input: proposed
		});
		const approved = approving instanceof Promise ? await approving : approving;
		const changed = approved.seen !== void 0 && await run.agent.live?.unlessSame(run, spec, activity);
		if (changed) return await outcomeOf({
			...performing,
			run: changed
		});
		let isInterrupted = false;
		for (let last = 9;; last--) {
			const doubt = (spec.effect === "once" ? mayHaveHappened(run, call) : spec.resumes && isInterrupted) ? await settleDoubt(spec, call, activity) : void 0;
			if (doubt) return doubt;
			if (spec.ready) await spec.ready(readying(performing));
			run.abortSignal.throwIfAborted();
			const claimed = emitClaim(performing, spec, approved);
			const writing = run.durable(spec.effect === "pure" ? "relaxed" : "strict");
			if (writing) await durableClaim(writing, performing);
			run.abortSignal.throwIfAborted();
			try {
				const ms = spec.timeoutMs ?? performing.timeoutMs;
				const { input, seen } = approved;
				return await executeTool({
					run,
					call,
					activity,
					spec,
					input,
					seen,
					claimed,
					ms
				});
			} catch (error) {
				if (last === 0 || !isInterruption(error)) throw error;
				isInterrupted = true;
			}
		}
	} catch (error) {
		if (RunFault.is(error) || run.isFailure(error) || isInvariantBroken(error)) throw error;
		if (run.abortSignal.aborted && run.agent.tools[call.name]?.resumes) throw error;
		return failedOutcome(run.abortSignal.aborted ? run.abortSignal.reason : outdated(error, call));
	}
}
var readying = ({ run, call: { key, name }, activity }) => ({
	runId: run.state.runId,
	tool: name,
	key,
	isAnswered: (id) => Object.hasOwn(notesOf(run.state, key), id),
	isAsked: (id) => run.state.asks.some((open) => open.id === id),
	ask: (id, question) => activity.ask(id, question),
	withdraw: (id) => activity.settle(id),
	note(name, value) {
		run.emit({
			type: "noted",
			call: key,
			key: name,
			value
		});
		return Promise.resolve(run.durable());
	}
});
/**
* Claims the call, in the same tick as the check before it, so that no other event comes in between. A tool that waits for a user
* claims again when it receives the reply. Returns the length that the log must have in the journal before the tool starts.
*/
function emitClaim({ run, call }, { resumes }, { edited }) {
	const { calledAt, idle, notes = {} } = openCalls(run.state).find(({ key }) => key === call.key) ?? call;
	const isRepeated = !resumes && (!idle || Object.hasOwn(notes, doubtOf(call.key)));
	if (calledAt === void 0 || isRepeated) {
		const event = {
			type: "called",
			call: call.key,
			...edited !== void 0 && { input: edited }
		};
		run.emit(resumes ? {
			...event,
			resumes
		} : event);
	}
	return run.state.seq;
}
/** Awaits the claim. If it fails, the tool does not start, so a user is not asked later whether it did. */
async function durableClaim(writing, { run, call }) {
	try {
		await writing;
	} catch (error) {
		if (call.calledAt === void 0) run.emit({
			type: "noted",
			call: call.key,
			key: unbegunOf(call.key),
			value: true
		});
		throw error;
	}
}
function findTool({ agent: { tools }, state }, name) {
	const spec = tools[name];
	if (spec && isOpen(spec, state)) return spec;
	if (spec?.bundle) {
		const bundle = spec.bundle.name;
		throw new AgentError("tool_unknown", `"${name}" can be called once "${bundle}" is open. Call "${bundle}" first.`);
	}
	const names = Object.keys(tools).join(", ");
	throw new AgentError("tool_unknown", `There is no tool "${name}". ${names ? `The tools are: ${names}.` : "There are no tools."}`);
}
/** Returns true if the tool's bundle is open. The model did not know tools that the same turn opened. */
var isOpen = ({ bundle }, state) => !bundle || (bundle.openedAt(state) ?? state.iteration) < state.iteration;
/**
* Returns true if the call was started and may have had effects. While it waits for a user it has done nothing that it
* may not repeat, and it claims again before it continues with a reply.
*/
function mayHaveHappened({ state }, { key }) {
	const { calledAt, idle, notes = {} } = openCalls(state).find((call) => call.key === key) ?? {};
	if (calledAt === void 0 || Object.hasOwn(notes, unbegunOf(key))) return false;
	return Object.hasOwn(notes, doubtOf(key)) || !idle;
}
/** Asks a user about a call that was started without an outcome in the log. */
async function settleDoubt({ name }, call, activity) {
	const decision = await activity.ask(doubtOf(call.key), asking({
		kind: "choice",
		prompt: `${name} was interrupted and may already have run. What should happen?`,
		options: [
			{
				value: "again",
				label: "Run it again"
			},
			{
				value: "done",
				label: "It already ran"
			},
			{
				value: "skip",
				label: "Skip it"
			}
		]
	}));
	if (decision === "again") return void 0;
	if (decision === "done") return { result: {
		type: "text",
		value: "Done, as the user confirms. The output is lost."
	} };
	throw new AgentError("tool_skipped", "The user decided to skip this call. It may already have run.");
}
// ../packages/core/src/steps/act.ts
var actOptions = {
	parallel: true,
	timeoutMs: true
};
/** Runs the open calls of the latest turn. A failing tool is an observation for the model, not the end of the run. */
function act$1(options = {}) {
	refuseUnknown("act()", options, actOptions);
	const { parallel = 8, timeoutMs = 6e4 } = options;
	assertOption(parallel >= 1, `act({ parallel: ${parallel} }): use 1 or more.`);
	assertOption(timeoutMs > 0, `act({ timeoutMs: ${timeoutMs} }): use a number above 0.`);
	return async (run) => {
		const open = openCalls(run.state);
		if (open.length === 0) return void 0;
		const keys = [];
		for (const { name, key } of open) if (!run.agent.tools[name]?.terminal) keys.push(key);
		if (keys.length === 1 && keys[0]) await performCall(run, keys[0], timeoutMs);
		else await inParallel(keys, {
			workers: parallel,
			run,
			work: (key) => performCall(run, key, timeoutMs)
		});
	};
}
/** Runs the calls in order with a fixed number of workers. None starts after the run is stopped. */
async function inParallel(keys, { workers, run, work }) {
	const recovery = run.engine?.recovery(run);
	let next = 0;
	const worker = () => {
		let key = keys[next++];
		const shift = async () => {
			for (; key !== void 0 && !run.abortSignal.aborted; key = keys[next++]) await work(key);
		};
		return recovery ? recovery.through(shift) : shift();
	};
	const ends = await Promise.allSettled(Array.from({ length: Math.min(workers, keys.length) }, worker));
	for (const end of ends) if (end.status === "rejected") throw end.reason;
}
// ../packages/core/src/steps/atLimit.ts
/** Without the noise of sums of fractions. */
var short = (amount) => Number.isInteger(amount) ? amount : Number(amount.toPrecision(6));
/** Returns true if a limit is reached, or if its usage is unknown. */
var isReached = ({ used, allowed }) => !(used < allowed);
/** Pauses the run at a limit. `words` are such as `20 iterations`. */
function restAt(run, reading, words, asking = {}) {
	const { limit, used, allowed } = reading;
	return {
		type: "limitReached",
		limit,
		used,
		allowed,
		ask: askOnce(run, reading, {
			prompt: `The limit of ${words} is reached. Go on?`,
			...asking
		})
	};
}
/** A question that was asked beforehand is still the one when the limit is reached. */
function askOnce(run, reading, { prompt, ...asking }) {
	const id = `${run.state.request.iteration}/limit/${reading.limit}/${reading.allowed}`;
	const open = run.state.asks.find((other) => other.id === id);
	if (open) return open;
	const ask = {
		kind: "extension",
		prompt,
		...reading,
		...asking,
		id
	};
	run.emit({
		type: "asked",
		ask
	});
	return ask;
}
/** Pauses the run before a turn beyond so many iterations: the limit of a backend that names none. */
var restAfter$1 = (suggested) => ({ state, emit }) => {
	if (!awaitsThought(state)) return void 0;
	const { iteration, request, extensions } = state;
	const allowed = suggested + (extensions.iterations ?? 0);
	const reading = {
		limit: "iterations",
		used: iteration - request.iteration,
		allowed,
		suggested
	};
	return isReached(reading) ? restAt({
		state,
		emit
	}, reading, `${short(allowed)} iterations`) : void 0;
};
/**
* Allows at most this many of the open calls to start, in the model's order. The others do not run, no user is asked to
* approve them, and the model reads why.
*/
function refuseBeyond(run, most) {
	let left = most;
	for (const { key, name, calledAt, invalid, approvalId } of openCalls(run.state)) {
		const spec = run.agent.tools[name];
		if (!(spec && !spec.terminal && !invalid && approvalId === void 0 && calledAt === void 0) || left-- > 0) continue;
		run.emit({
			type: "observed",
			call: key,
			ms: 0,
			...failedOutcome(tooMany(most))
		});
	}
}
var tooMany = (most) => new AgentError("too_many", `This call was not run: ${most} more calls were allowed. Call it again if you still need it.`);
// ../packages/core/src/history/scratchpad.ts
var perEntry = /* @__PURE__ */ new WeakMap();
var perPage = /* @__PURE__ */ new WeakMap();
var perHistory = /* @__PURE__ */ new WeakMap();
/** The scratchpad of a run, oldest first. The same array for the same history, and the same entries for the same turns. */
function scratchpad({ history }) {
	return cached(perHistory, history, () => history.flatMap((page) => cached(perPage, page, () => page.flatMap(entriesFor))));
}
var entriesFor = (entry) => entry.type === "turn" ? cached(perEntry, entry, () => toEntries(entry)) : [];
function toEntries(turn) {
	const { iteration, at, ms, usage, error } = turn;
	return [
		{
			type: "thought",
			iteration,
			at,
			text: joined(turn, "text"),
			reasoning: joined(turn, "reasoning"),
			ms,
			usage,
			...error && { error }
		},
		...turn.parts.flatMap((part) => providerEntries(part, turn)),
		...turn.calls.flatMap((call) => callEntries(call, turn))
	];
}
/** Returns the provider's own tool calls. Providers report no times, and often report results in a later turn. */
function providerEntries(part, { iteration, at }) {
	if (part.type !== "tool-call" && part.type !== "tool-result") return [];
	const entry = {
		iteration,
		at,
		call: `${iteration}/provider/${part.toolCallId}`,
		tool: part.toolName
	};
	if (part.type === "tool-call") return part.providerExecuted ? [{
		type: "action",
		...entry,
		input: part.input
	}] : [];
	const error = {
		code: "tool_failed",
		message: messageOf(part.result),
		retryable: false
	};
	return [{
		type: "observation",
		...entry,
		output: part.result,
		ms: 0,
		...part.isError && { error }
	}];
}
function callEntries(call, { iteration, at }) {
	const { key, name: tool, input, calledAt, observedAt, error, ms = 0 } = call;
	const action = {
		type: "action",
		iteration,
		at: calledAt ?? at,
		call: key,
		tool,
		input
	};
	if (observedAt === void 0) return [action];
	return [action, {
		type: "observation",
		iteration,
		at: observedAt,
		call: key,
		tool,
		output: outputOf(call),
		ms,
		...error && { error }
	}];
}
/** Returns the call's output, or the error that the model received. */
function outputOf({ output, result }) {
	if (output !== void 0) return output;
	if (!result) return null;
	return result.type === "execution-denied" ? result.reason ?? "" : result.value;
}
/** The text or the reasoning of a turn, as one string. */
var joined = (turn, type) => turn.parts.map((part) => part.type === type ? part.text : "").join("");
// ../packages/core/src/stop/answer.ts
/**
* Reads an answer the way it was meant. Models wrap it in a field `answer` unasked, leave that field out, and write JSON as
* text or in a code block. With a schema the first reading counts that fits it; without one the answer is a text.
*/
async function readAnswer(given, output) {
	if (!output) return readText(given);
	const schema = await output.json;
	let problem;
	for (const reading of readings$1(given, schema)) {
		const checked = isOfType(reading, schema) ? await output.check(reading) : wrongType(schema);
		if (checked.ok) return checked;
		problem ??= checked;
	}
	return problem ?? wrongType(schema);
}
/** A text that is itself the JSON of a tool's input is such an input once more. */
function readText(given) {
	const [parsed] = typeof given === "string" ? parsedOf(given).filter(isOnlyAnswer) : [given];
	const answer = isObject(parsed) ? parsed.answer : given;
	if (typeof answer === "string") return accept(answer);
	if (typeof answer === "number" || typeof answer === "boolean") return accept(String(answer));
	return {
		ok: false,
		message: "give the answer as text in the field \"answer\""
	};
}
/** The likeliest first. */
function readings$1(given, schema) {
	const parsed = (value) => typeof value === "string" ? parsedOf(value) : [];
	const unwrap = (value) => unwrapped(value, schema);
	return unwrap(given).flatMap((value) => [value, ...parsed(value).flatMap(unwrap)]);
}
/** Unwraps an `answer` field, unless the type has such a field itself. */
function unwrapped(value, { type, properties = {} }) {
	if (!isObject(value) || value.answer === void 0) return [value];
	return Object.hasOwn(properties, "answer") || type === "object" && !isOnlyAnswer(value) ? [value, value.answer] : [value.answer, value];
}
var isOnlyAnswer = (value) => isObject(value) && Object.keys(value).join() === "answer";
/** Parses a text as JSON: the whole text, or its only code block. */
function parsedOf(text) {
	const [block, another] = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)];
	return [text, ...block && !another ? [block[1] ?? ""] : []].flatMap((json) => {
		try {
			return [parseJson(json, { maxLength: 2e6 })];
		} catch {
			return [];
		}
	});
}
/**
* Returns true if the value has the schema's type. Some schemas validate nothing and would accept a text as an object.
*/
function isOfType(value, { type }) {
	const is = typeOf(value);
	return type === void 0 || [type].flat().some((name) => name === is || name === "integer" && is === "number");
}
function typeOf(value) {
	if (value === null) return "null";
	return Array.isArray(value) ? "array" : typeof value;
}
var wrongType = ({ type }) => ({
	ok: false,
	message: `it has to be of type ${[type].flat().join(" or ")}`
});
/** A tool whose input is the answer. Inputs are objects, so any other answer is in the field `answer`. */
function answerTool({ name, description, output, beside }) {
	const wrap = (schema) => isPlain(schema) && !beside ? schema : wrapAnswer(schema, beside);
	return Object.freeze({
		name,
		description,
		schema: {
			get json() {
				return whenLoaded(output?.json ?? { type: "string" }, wrap);
			},
			check: accept
		},
		effect: "pure",
		approve: "never",
		terminal: true,
		...output && { output }
	});
}
function checkAnswerTool(owner, { name, description }) {
	checkToolName(owner, name);
	checkType(description, `\`description\` of ${owner}`, "a string");
}
var isPlain = ({ type }) => type === "object";
/** References of a schema count from its root. What they point to stays there, or is pointed to where it is now. */
function wrapAnswer(schema, beside = {}) {
	const { $schema, definitions, $defs, ...answer } = moveReferences(schema);
	return {
		...$schema && { $schema },
		...definitions && { definitions },
		...$defs && { $defs },
		type: "object",
		properties: {
			answer,
			...beside
		},
		required: ["answer", ...Object.keys(beside)],
		additionalProperties: false
	};
}
function moveReferences(part) {
	if (Array.isArray(part)) return part.map(moveReferences);
	if (typeof part !== "object" || part === null) return part;
	return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, key === "$ref" ? moved(value) : moveReferences(value)]));
}
var moved = (reference) => typeof reference === "string" ? reference.replace(/^#(?!\/definitions\/|\/\$defs\/)/, "#/properties/answer") : reference;
/** The calls of a tool that its rule has to read: those without a result, and one that it took for the answer before. */
var answerCalls = ({ state }, name) => (latestTurn(state)?.calls ?? []).filter((call) => call.name === name && (!call.result || call.final));
/** Ends a call that a stop rule has read, or will not read. */
var close$1 = (run, { key }, outcome) => run.emit({
	type: "observed",
	call: key,
	ms: 0,
	...outcome
});
/** Ends the call that gave the answer, and those of other rules, which are not asked any more. */
function acceptCall(run, { key, result }) {
	const accepted = {
		type: "text",
		value: "Accepted."
	};
	if (!result) run.emit({
		type: "observed",
		call: key,
		ms: 0,
		result: accepted,
		final: true
	});
	for (const call of openCalls(run.state)) if (run.agent.tools[call.name]?.terminal) close$1(run, call, ignored);
}
var ignored = { result: {
	type: "text",
	value: "Not read: only the first answer of a turn counts."
} };
/** Returns a problem with an answer, as the model reads it. */
var answerRefused = (problem) => failedOutcome(new AgentError("tool_input_invalid", problem, { retryable: true }));
// ../packages/core/src/steps/enforce.ts
/** Reminds the model to continue after a turn that called nothing and that no stop rule accepted as the answer. */
var remind = () => (run) => {
	if (!textTurn(run.state) || run.state.pending.length > 0) return void 0;
	const [terminal] = terminalTools(run.agent);
	const how = terminal ? `call ${terminal} if you have the final answer` : "call a tool";
	run.emit({
		type: "said",
		by: "agent",
		content: `You are not done. Go on, or ${how}.`
	});
};
// ../packages/core/src/host.ts
/** The page, process or worker itself. */
var localHost = Object.freeze({
	now: () => Date.now(),
	newId: () => crypto.randomUUID(),
	timer(ms, callback) {
		const id = setTimeout(callback, Math.min(ms, 2147483647));
		return () => clearTimeout(id);
	},
	perform: (_effect, body) => body()
});
/** Waits, as an effect. An abort ends it early, and the caller checks the signal. */
function sleep({ host, abortSignal }, { key, ms }) {
	return host.perform({
		kind: "sleep",
		key,
		ms
	}, async () => {
		const end = host.now() + ms;
		for (let left = ms; left > 0 && !abortSignal.aborted; left = end - host.now()) await elapse(host, left, abortSignal);
		return null;
	});
}
function elapse(host, ms, signal) {
	return new Promise((resolve) => {
		const done = () => {
			cancel();
			signal.removeEventListener("abort", done);
			resolve();
		};
		const cancel = host.timer(ms, done);
		signal.addEventListener("abort", done);
	});
}
/**
* Many timers on one of the host. To set and clear one for each model turn and each tool call costs more than the rest of
* the loop; here an alarm that is called off leaves the timer of the host to the next one.
*/
function sharedTimer(host) {
	const alarms = /* @__PURE__ */ new Set();
	let set;
	const setFor = (at) => {
		set?.cancel();
		set = {
			at,
			cancel: host.timer(Math.max(0, at - host.now()), () => ring(at))
		};
	};
	const ring = (at) => {
		set = void 0;
		const due = [...alarms].filter((alarm) => alarm.at <= at);
		for (const alarm of due) alarms.delete(alarm);
		const next = Math.min(...[...alarms].map((alarm) => alarm.at));
		if (alarms.size > 0) setFor(next);
		for (const alarm of due) alarm.ring();
	};
	return {
		timer(ms, callback) {
			const alarm = {
				at: host.now() + ms,
				ring: callback
			};
			alarms.add(alarm);
			if (!set || alarm.at < set.at) setFor(alarm.at);
			return () => alarms.delete(alarm);
		},
		release() {
			if (alarms.size > 0) return;
			set?.cancel();
			set = void 0;
		}
	};
}
/** The host with this timer in place of its own. Not a copy: a host may be of a class. */
var withTimer = (host, timer) => ({
	now: () => host.now(),
	newId: () => host.newId(),
	perform: (effect, body) => host.perform(effect, body),
	...host.onLeave && { onLeave: host.onLeave.bind(host) },
	timer
});
// ../packages/core/src/steps/retry.ts
/** Longest wait. A server that asks for more is not tried again, since the run would seem to hang. */
var longest = 6e4;
/**
* Milliseconds to wait before trying again: what the server asks for, else exponential. Undefined if that is too long to wait.
*/
function retryDelay(askedMs, { attempt, baseMs }) {
	if (askedMs !== void 0) return askedMs > longest ? void 0 : askedMs;
	return Math.min(baseMs * 2 ** attempt, longest);
}
/** The milliseconds that a server asks to be left alone for (RFC 9110, `retry-after`), as the error of a call has it. */
function retryAfter(error, now) {
	const asked = readThrown(error, ({ responseHeaders }) => {
		const { "retry-after-ms": ms, "retry-after": after } = responseHeaders ?? {};
		return [
			Number(ms),
			after ? Number(after) * 1e3 : NaN,
			Date.parse(after ?? "") - now
		];
	}, []).find((reading) => !Number.isNaN(reading));
	return asked !== void 0 && asked >= 0 ? Math.min(asked, Number.MAX_SAFE_INTEGER) : void 0;
}
/**
* Returns the reason if a finished turn is incomplete. A stream that just ends is `interrupted`; some packages report
* `other` instead, or finish a started call with an empty input, without usage from the provider.
*/
function cutOff({ finish, parts, usage }) {
	if (!finish || finish.unified === "interrupted") return incomplete(ended$1);
	if (finish.raw !== void 0) return void 0;
	const counted = usage?.inputTokens.total !== void 0 || usage?.outputTokens.total !== void 0;
	return finish.unified === "other" || !counted && parts.some(isEmptyCall) ? incomplete(ended$1) : void 0;
}
var isEmptyCall = (part) => part.type === "tool-call" && JSON.stringify(part.input) === "{}";
/** Converts an error that only says that a response broke off; returns any other unchanged. */
var asCutOff = (error) => readThrown(error, ({ name, statusCode, isRetryable }) => {
	if (name === "AI_APICallError" && statusCode === 200 && isRetryable === true) return incomplete("The connection to the model broke off in the middle of its answer.", error);
	return name === "AI_InvalidResponseDataError" ? incomplete(ended$1, error) : error;
}, error);
var ended$1 = "The model stopped in the middle of its answer.";
var incomplete = (message, cause) => new AgentError("model_incomplete", message, {
	retryable: true,
	cause
});
// ../packages/core/src/steps/turnTexts.ts
/** A text that may still grow. */
var OpenText = class {
	id;
	part;
	/** Bytes of its metadata, by key. */
	sizes = void 0;
	constructor(id, part) {
		this.id = id;
		this.part = part;
	}
};
/** The texts of one kind that a turn is made of, by the provider's ids, which are unique only within a stream. */
var TurnTexts = class {
	#type;
	#turn;
	#texts = /* @__PURE__ */ new Map();
	/** The one that was looked up last: most deltas are of it. */
	#last = void 0;
	constructor(type, turn) {
		this.#type = type;
		this.#turn = turn;
	}
	start(id, metadata) {
		this.#keep(this.#open(id), metadata);
	}
	grow(id, delta, metadata) {
		const text = this.#find(id) ?? this.#open(id);
		text.part.text += delta;
		this.#keep(text, metadata);
	}
	end(id, metadata) {
		const text = this.#find(id);
		if (text) this.#keep(text, metadata);
	}
	#find(id) {
		if (this.#last?.id !== id) this.#last = this.#texts.get(id);
		return this.#last;
	}
	#open(id) {
		const text = new OpenText(id, {
			type: this.#type,
			text: ""
		});
		this.#turn.spend(id.length);
		this.#turn.addPart(text.part);
		this.#texts.set(id, text);
		this.#last = text;
		return text;
	}
	/**
	* Merges later metadata into earlier metadata, because signatures arrive with the last delta or the end. Replaced
	* values no longer count, and unchanged ones are not validated again.
	*/
	#keep(text, given) {
		if (given === void 0) return;
		const turn = this.#turn;
		const later = new Tally(turn).copyOf(given);
		if (!later) return;
		const { part } = text;
		part.providerMetadata ??= {};
		text.sizes ??= /* @__PURE__ */ new Map();
		const kept = part.providerMetadata;
		for (const key of Object.keys(later)) {
			const size = key.length + JSON.stringify(later[key]).length;
			turn.spend(size - (text.sizes.get(key) ?? 0));
			text.sizes.set(key, size);
			kept[key] = later[key];
		}
	}
};
/** A budget that takes back the bytes of a copy, which is then counted by key. */
var Tally = class {
	#budget;
	#spent = 0;
	constructor(budget) {
		this.#budget = budget;
	}
	spend(bytes) {
		this.#spent += bytes;
		this.#budget.spend(bytes);
	}
	copyOf(given) {
		const copy = plainRecord(given, this);
		if (copy) this.#budget.spend(-this.#spent);
		return copy;
	}
};
/** Lower than the limit for a log, since the data is nested in an event. */
var maxDepth = 64;
/**
* Copies foreign data as plain JSON. Bytes become base64, URLs and dates strings, numbers without a JSON form null.
* Undefined members, and keys that would change a prototype, are omitted. Throws for anything that is not data.
*/
var plainData = (given, budget) => copyOf$1(given, budget, 0);
function copyOf$1(value, budget, depth) {
	switch (typeof value) {
		case "string":
			budget.spend(value.length + 2);
			return value;
		case "number":
			budget.spend(8);
			return Number.isFinite(value) ? value + 0 : null;
		case "boolean":
			budget.spend(4);
			return value;
		case "undefined": return;
		case "object":
			budget.spend(8);
			return value === null ? null : copyOfObject(value, budget, depth);
		default: throw new TypeError(`it has a ${typeof value}`);
	}
}
function copyOfObject(value, budget, depth) {
	if (depth > maxDepth) throw new TypeError(`it is nested deeper than ${maxDepth} levels, or refers to itself`);
	if (Array.isArray(value)) {
		const { length } = value;
		budget.spend(2 * length);
		const copy = [];
		for (let index = 0; index < length; index++) copy.push(copyOf$1(value[index], budget, depth + 1) ?? null);
		return copy;
	}
	return isPlain$1(value) ? copyOfMembers(value, budget, depth) : copyOfBuiltIn(value, budget);
}
function copyOfMembers(value, budget, depth) {
	const copy = {};
	for (const key of Object.keys(value)) {
		if (key === "__proto__") continue;
		budget.spend(key.length + 4);
		const member = copyOf$1(value[key], budget, depth + 1);
		if (member !== void 0) copy[key] = member;
	}
	if (!hasPrototypeKey(copy)) return copy;
	const { constructor: _, ...others } = copy;
	return others;
}
function copyOfBuiltIn(value, budget) {
	const text = textOf$2(value, budget);
	if (typeof text !== "string") throw new TypeError("it has an instance of a class");
	budget.spend(text.length);
	return text;
}
function textOf$2(value, budget) {
	switch (Object.prototype.toString.call(value)) {
		case "[object URL]": return value.href;
		case "[object Date]": return value.toJSON();
		case "[object Uint8Array]":
			if (ArrayBuffer.isView(value)) budget.spend(value.byteLength / 3);
			return toBase64$1(value);
		default: return;
	}
}
/** Returns a record of plain data, or undefined if it is not one. */
function plainRecord(given, budget) {
	const copy = plainData(given, budget);
	return isObject(copy) ? copy : void 0;
}
// ../packages/core/src/steps/turnReader.ts
var defaultCaps = {
	maxCharacters: 2e6,
	maxBytes: 32e6,
	maxParts: 1e6,
	maxMs: 6e5,
	idleMs: 12e4
};
/** Texts, calls, files and other parts that a turn may be made of. Each is looked up and shown, so there is an end to them. */
var mostKept = 5e3;
/** The maximum stored length of an unreadable input: the same as for a readable one. */
var mostUnread = 65536;
var emptyTurn = () => ({
	parts: [],
	finish: void 0,
	warnings: void 0,
	providerMetadata: void 0,
	responseId: void 0,
	usage: void 0,
	characters: 0,
	bytes: 0,
	received: 0
});
/**
* Turns the parts of one model stream, in order, into a turn. Use one reader per call, because part ids are unique only within a
* call. It converts everything that a provider sends to bounded plain data.
*/
var TurnReader = class {
	#turn;
	#tell;
	#caps;
	#texts;
	#reasonings = void 0;
	/** Tools by the ids of the inputs that stream. */
	#tools = void 0;
	constructor(turn, tell, caps) {
		this.#turn = turn;
		this.#tell = tell;
		this.#caps = caps;
		this.#texts = new TurnTexts("text", this);
	}
	/**
	* Throws `model_malformed` or `model_too_large` for parts that a log cannot store, so that the turn fails, and not a later load of
	* the run.
	*/
	read(part) {
		const { maxParts } = this.#caps;
		if (++this.#turn.received > maxParts) throw tooLarge(`made of more than ${maxParts} parts of a stream`);
		let failure;
		try {
			failure = this.#take(part);
		} catch (error) {
			throw isAgentError(error) ? error : malformed(`what is no plain data: ${messageOf(error)}`);
		}
		if (failure) throw asModelError(failure.error);
	}
	addPart(part) {
		const { parts } = this.#turn;
		if (parts.length >= mostKept) throw tooLarge(`made of more than ${mostKept} texts, calls and other parts`);
		parts.push(part);
	}
	spend(bytes) {
		const { maxBytes } = this.#caps;
		this.#turn.bytes += bytes;
		if (this.#turn.bytes > maxBytes) throw tooLarge(`more than ${maxBytes} bytes of data`);
	}
	#take(part) {
		const { type, providerMetadata } = part;
		switch (type) {
			case "text-delta":
			case "reasoning-delta":
				this.#grow(type === "text-delta" ? "text" : "reasoning", part);
				return;
			case "text-start":
			case "reasoning-start":
				this.#textsOf(type === "text-start" ? "text" : "reasoning").start(idOf$1(part), providerMetadata);
				return;
			case "text-end":
			case "reasoning-end":
				this.#textsOf(type === "text-end" ? "text" : "reasoning").end(idOf$1(part), providerMetadata);
				return;
			case "tool-input-start":
				this.#startInput(part);
				return;
			case "tool-input-delta":
				this.#growInput(part, part.delta);
				return;
			case "tool-call":
				this.addPart(this.#toCall(part));
				return;
			case "tool-result":
				if (!part.preliminary) this.addPart(this.#toPart({
					...part,
					result: part.result ?? null
				}));
				return;
			case "file":
			case "reasoning-file":
			case "source":
			case "custom":
			case "tool-approval-request":
				this.addPart(this.#toPart({ ...part }));
				return;
			case "stream-start": {
				const warnings = plainData(part.warnings ?? [], this);
				if (!Array.isArray(warnings)) throw wrong(type, "");
				if (warnings.length > 0) this.#turn.warnings = warnings;
				return;
			}
			case "response-metadata":
				if (typeof part.id === "string") this.#turn.responseId = idOf$1(part);
				return;
			case "finish":
				this.#finish(part);
				return;
			case "error": return { error: part.error };
		}
	}
	#textsOf(kind) {
		if (kind === "text") return this.#texts;
		this.#reasonings ??= new TurnTexts("reasoning", this);
		return this.#reasonings;
	}
	#grow(kind, part) {
		const { delta, type } = part;
		if (typeof delta !== "string") throw wrong(type, "delta");
		this.#textsOf(kind).grow(idOf$1(part), delta, part.providerMetadata);
		this.#count(delta.length);
		this.#tell({
			type: "delta",
			kind,
			delta
		});
	}
	#growInput(part, delta) {
		const id = idOf$1(part);
		if (typeof delta !== "string") throw wrong(part.type, "delta");
		this.#count(delta.length / 4);
		this.#tell({
			type: "delta",
			kind: "input",
			id,
			tool: this.#tools?.get(id) ?? "",
			delta
		});
	}
	#startInput(part) {
		const id = idOf$1(part);
		const { toolName } = part;
		if (!isName(toolName)) throw wrong(part.type, "toolName");
		this.#tools ??= /* @__PURE__ */ new Map();
		if (this.#tools.size >= mostKept) throw tooLarge(`made of more than ${mostKept} calls`);
		this.spend(id.length);
		this.#tools.set(id, toolName);
		this.#growInput(part, "");
	}
	#count(characters) {
		const { maxCharacters } = this.#caps;
		this.#turn.characters += characters;
		if (this.#turn.characters > maxCharacters) throw tooLarge(`longer than ${maxCharacters} characters`);
	}
	/** Returns the part with its provider's metadata. Invalid metadata is omitted, since nothing depends on it. */
	#toPart(given) {
		const part = plainData(given, this);
		const members = membersOf$1[part.type];
		for (const name in members) if (!members[name]?.(part[name])) throw wrong(part.type, name);
		if (!("providerMetadata" in part) || isObject(part.providerMetadata)) return part;
		const { providerMetadata: _, ...others } = part;
		return others;
	}
	#toCall(part) {
		const { input: text } = part;
		if (typeof text !== "string") throw wrong(part.type, "input");
		this.spend(Math.min(text.length, mostUnread));
		const call = this.#toPart({
			...part,
			input: ""
		});
		const invalid = problemOf(call.providerMetadata);
		try {
			call.input = text.trim() === "" ? {} : parseJson(text);
			if (invalid) call.invalid = invalid;
		} catch (error) {
			call.input = text.slice(0, mostUnread);
			call.invalid = messageOf(error);
		}
		return call;
	}
	#finish({ type, finishReason, usage, providerMetadata }) {
		const turn = this.#turn;
		const finish = plainRecord(finishReason, this);
		if (!isText(finish?.unified)) throw wrong(type, finish ? "unified" : "");
		turn.finish = finish;
		turn.usage = toCounts(plainRecord(usage, this));
		const metadata = plainRecord(providerMetadata, this);
		if (metadata) turn.providerMetadata = metadata;
	}
};
/** Both halves are there, with whatever the provider calls its counts. */
var toCounts = ({ inputTokens, outputTokens, ...others } = {}) => ({
	...others,
	inputTokens: isObject(inputTokens) ? inputTokens : {},
	outputTokens: isObject(outputTokens) ? outputTokens : {}
});
var tooLarge = (what) => new AgentError("model_too_large", `The model's turn is ${what}.`);
var wrong = (type, way) => malformed(`a "${type}" with ${way ? `a wrong or missing "${way}"` : "nothing that could be read"}`);
/** Some servers leave the ids of texts out. */
function idOf$1({ id = "", type }) {
	if (!isId(id)) throw wrong(type, "id");
	return id;
}
/** Returns the problem from a call's metadata, if there is one. */
function problemOf(metadata) {
	const problem = metadata?.interleave?.complaint;
	return typeof problem === "string" ? problem : void 0;
}
/** Characters of an id. Some servers put signatures of several kilobytes in there. */
var longestId = 65536;
/** Characters of a tool's name. */
var longestName = 1024;
var isText = (value) => typeof value === "string";
var isId = (value) => isText(value) && value.length <= longestId;
var isName = (value) => isText(value) && value.length <= longestName;
var areWords = (value) => value === void 0 || value === null || isText(value);
var file = {
	mediaType: isText,
	data: (value) => value !== void 0
};
var ofCall = {
	toolCallId: isId,
	toolName: isName
};
/** The members of the parts that are kept as they came. */
var membersOf$1 = {
	file,
	"reasoning-file": file,
	custom: { kind: areWords },
	source: {
		id: areWords,
		url: areWords,
		title: areWords,
		mediaType: areWords,
		filename: areWords
	},
	"tool-call": ofCall,
	"tool-result": ofCall,
	"tool-approval-request": {
		approvalId: isId,
		toolCallId: isId
	}
};
// ../packages/core/src/steps/callModel.ts
/**
* One call of one model. Its stream has one reader and no stages in between: a `TransformStream` costs a browser more per part than
* all of this. The caps hold whether or not the model listens to its abort signal.
*/
var ModelCall = class {
	#run;
	#attempt;
	#breaker;
	#startedAt;
	#turn = emptyTurn();
	#reader = void 0;
	/** The number of parts at the last check, and the time of the check that found more. */
	#seen = 0;
	#seenAt;
	#cancelCheck = ignore;
	constructor(run, attempt) {
		this.#run = run;
		this.#attempt = attempt;
		this.#breaker = new Breaker(run.abortSignal);
		this.#startedAt = run.host.now();
		this.#seenAt = this.#startedAt;
	}
	/** Never rejects: a failure is part of the outcome. */
	async outcome() {
		const breaker = this.#breaker;
		let ended;
		this.#checkLater();
		try {
			await breaker.race(this.#read(), ignore);
			ended = failedEnd(this.#turn);
		} catch (error) {
			breaker.break(error);
			const { abortSignal } = this.#run;
			ended = { error: abortSignal.aborted ? abortSignal.reason : asCutOff(error) };
		}
		const reader = this.#reader;
		if (breaker.broken && reader) quietly(() => reader.cancel());
		this.#cancelCheck();
		breaker.end();
		return this.#toAttempted(ended);
	}
	/** Stops reading once the call is abandoned. A stream that is always ready leaves the page time for other work. */
	async #read() {
		const { model, prompting } = this.#attempt;
		const { request, caps, tell } = prompting;
		const breaker = this.#breaker;
		const { stream, response } = await model.doStream({
			...request,
			abortSignal: breaker.abortSignal
		});
		if (breaker.broken) return quietly(() => stream.cancel());
		const reader = stream.getReader();
		this.#reader = reader;
		if (isPage(response?.headers)) throw new AgentError("model_failed", pageInstead);
		const turn = new TurnReader(this.#turn, tell?.() ?? ignore, caps);
		const breathe = breather(() => this.#run.host.now(), 16);
		for (;;) {
			const { done, value } = await reader.read();
			if (done || breaker.broken) return;
			turn.read(value);
			const pause = breathe();
			if (pause) await pause;
		}
	}
	/** One timer of a fifth of the idle time, instead of one per part: a stall is noticed late by that much at most. */
	#checkLater() {
		const { maxMs, idleMs } = this.#attempt.prompting.caps;
		this.#cancelCheck = this.#run.host.timer(Math.min(idleMs / 5, maxMs), () => this.#check());
	}
	/** Abandons the call when its time is over, or after too long a silence. */
	#check() {
		const { maxMs, idleMs } = this.#attempt.prompting.caps;
		const now = this.#run.host.now();
		if (this.#turn.received !== this.#seen) {
			this.#seen = this.#turn.received;
			this.#seenAt = now;
		}
		if (now - this.#startedAt >= maxMs) this.#breaker.break(timeout("model_timeout", `The model took longer than ${maxMs} ms.`));
		else if (now - this.#seenAt >= idleMs) this.#breaker.break(timeout("model_idle", `The model sent nothing for ${idleMs} ms.`));
		else this.#checkLater();
	}
	#toAttempted(ended) {
		const { agent, host } = this.#run;
		const { parts, usage, finish, warnings, providerMetadata, responseId } = this.#turn;
		const model = idOf(this.#attempt.model);
		const now = host.now();
		parts.forEach(flatten);
		const outcome = {
			model,
			parts,
			usage: withSpent(toUsage(usage, model, agent.prices), this.#attempt.spent),
			ms: now - this.#startedAt
		};
		if (finish) outcome.finish = finish;
		if (warnings) outcome.warnings = warnings;
		if (providerMetadata) outcome.providerMetadata = providerMetadata;
		if (responseId !== void 0) outcome.responseId = responseId;
		if (!ended) return { outcome };
		outcome.error = toFailure$1(ended.error, "model_failed");
		const retryAfterMs = retryAfter(ended.error, now);
		return retryAfterMs === void 0 ? { outcome } : {
			outcome,
			retryAfterMs
		};
	}
};
function failedEnd(turn) {
	const { finish } = turn;
	if (finish?.unified === "error") return { error: new AgentError("model_failed", `The model failed without an explanation${finish.raw ? ` (${finish.raw})` : ""}.`, { retryable: true }) };
	const error = cutOff(turn);
	return error && { error };
}
var idOf = ({ provider, modelId }) => ({
	provider,
	modelId
});
/** Adds the usage of failed attempts. The turn itself counts once. */
function withSpent(usage, spent) {
	if (spent.inputTokens + spent.outputTokens === 0) return usage;
	return {
		...addUsage(usage, spent),
		unpricedTurns: Math.max(usage.unpricedTurns, spent.unpricedTurns)
	};
}
/**
* A text that grew by many deltas is a chain of strings in memory. A regular expression makes it one string; reading a character would
* do the same, but an optimizing engine removes a read whose result is not used.
*/
function flatten(part) {
	if (part.type === "text" || part.type === "reasoning") /^/.test(part.text);
}
/** Many servers answer an unknown address with the page of an app, and status 200. */
var isPage = (headers) => headers?.["content-type"]?.startsWith("text/html") === true;
var pageInstead = "The model's address answers with a web page. Check the `baseURL` of its provider.";
/** For foreign code whose result is not needed. */
var quietly = (work) => void Promise.resolve().then(work).catch(ignore);
var timeout = (code, message) => new AgentError(code, message, { retryable: true });
// ../packages/core/src/steps/askModels.ts
/** Validates the options and applies the defaults. */
function persistence({ retries = 2, retryDelayMs = 1e3, caps }) {
	assertOption(retries >= 0, `retries is ${retries}. Use 0 or more.`);
	return {
		retries,
		retryDelayMs,
		caps: {
			...defaultCaps,
			...caps
		}
	};
}
var firstAttempt = {
	index: 0,
	attempt: 0,
	spent: noUsage
};
/** Calls each model in turn, and retries temporary failures. A turn that resumes after a crash continues to count. */
async function askModels(run, prompting) {
	const { models } = prompting;
	let { index, attempt, spent } = run.engine?.attemptsOf(run, prompting) ?? firstAttempt;
	let model = models[index] ?? missing(run);
	for (;;) {
		const { outcome, retryAfterMs } = await performAttempt(run, attemptKey(prompting, {
			index,
			attempt
		}), {
			prompting,
			model,
			spent
		});
		const { error } = outcome;
		if (!error || run.abortSignal.aborted) return outcome;
		const delay = error.retryable && attempt < prompting.retries ? retryDelay(retryAfterMs, {
			attempt,
			baseMs: prompting.retryDelayMs
		}) : void 0;
		const next = delay === void 0 ? models[++index] : model;
		if (!next) return outcome;
		attempt++;
		spent = outcome.usage;
		const inMs = delay ?? 0;
		await run.engine?.noteAttempts(run, prompting, {
			index,
			attempt: delay === void 0 ? 0 : attempt,
			spent
		});
		if (prompting.tell) run.live({
			type: "retrying",
			attempt,
			inMs,
			error,
			model: idOf(next)
		});
		if (inMs > 0) await sleep(run, {
			key: `${attemptKey(prompting, {
				index,
				attempt
			})}/delay`,
			ms: inMs
		});
		if (run.abortSignal.aborted) return {
			...outcome,
			parts: [],
			error: toFailure$1(run.abortSignal.reason, "stopped")
		};
		if (delay === void 0) attempt = 0;
		model = next;
	}
}
var performAttempt = (run, key, attempt) => run.host.perform({
	kind: "model",
	key,
	name: attempt.model.modelId,
	request: attempt.prompting.request
}, () => new ModelCall(run, attempt).outcome());
/** Returns the key of an attempt. The first one has the key of the turn. */
var attemptKey = ({ key }, { index, attempt }) => index + attempt === 0 ? key : `${key}/${index}/${attempt}`;
function missing({ agent: { name } }) {
	throw new AgentError("options_invalid", `A step of the agent "${name}" asks a model, and it has none. Give it one.`);
}
// ../packages/core/src/steps/toolDefinitions.ts
var known = /* @__PURE__ */ new WeakMap();
/** Returns the definitions of the agent's tools. Computed once per agent; a promise only while a schema loads. */
var toolDefinitions = ({ tools }) => cached(known, tools, () => {
	const definitions = Object.values(tools).map(toDefinition);
	return definitions.some(isLoading) ? Promise.all(definitions) : definitions;
});
var bundled = /* @__PURE__ */ new WeakMap();
var areBundled = (tools) => cached(bundled, tools, () => Object.values(tools).some(({ bundle }) => bundle !== void 0));
/**
* Returns the tools that the model sees now. Omits tools of closed bundles, and appends those of open ones, so that the
* prompt's beginning stays cached.
*/
function offered(definitions, { agent: { tools }, state, plan }) {
	if (!plan.tools && !areBundled(tools)) return [...definitions];
	const since = ({ name }) => {
		const inBundle = tools[name]?.bundle;
		return inBundle ? inBundle.openedAt(state) : 0;
	};
	return definitions.filter((tool) => plan.tools?.includes(tool.name) !== false && since(tool) !== void 0).sort((a, b) => (since(a) ?? 0) - (since(b) ?? 0));
}
var toDefinition = (spec) => spec.provider ? {
	type: "provider",
	name: spec.name,
	...spec.provider
} : whenLoaded(spec.schema.json, (schema) => toFunction(spec, schema));
var toFunction = (spec, inputSchema) => ({
	type: "function",
	name: spec.name,
	inputSchema,
	...typeof spec.description === "string" && { description: spec.description },
	...spec.inputExamples && { inputExamples: spec.inputExamples },
	...spec.strict !== void 0 && { strict: spec.strict },
	...spec.providerOptions && { providerOptions: spec.providerOptions }
});
// ../packages/core/src/steps/think.ts
/** Asks the model when there is something it has not answered yet. */
function think$2(options = {}) {
	refuseUnknown("think()", options, thinkOptions, sdkOptions);
	const { settings = {} } = options;
	const persisting = persistence(options);
	return async (run) => {
		if (!awaitsThought(hearable(run))) return void 0;
		const interrupted = run.engine?.interruptedTurn(run);
		if (interrupted) run.emit(interrupted);
		const { plan } = run;
		const loading = toolDefinitions(run.agent);
		const definitions = loading instanceof Promise ? await loading : loading;
		run.live({
			type: "thinking",
			iteration: run.state.iteration + 1
		});
		const tools = offered(definitions, run);
		const heard = hearBefore(run);
		const toolChoice = plan.toolChoice ?? settings.toolChoice;
		const request = {
			...plan.settings ? {
				...settings,
				...plan.settings
			} : settings,
			prompt: run.prompt.messages(hearable(run), instructionsOf(run))
		};
		if (tools.length > 0) {
			request.tools = tools;
			request.toolChoice = toolChoice ?? { type: "auto" };
		}
		const { models = run.agent.models, beside } = plan;
		const key = `${run.state.iteration + 1}/model`;
		const drafts = run.engine?.drafts(run);
		const tell = () => drafts?.attempt(inputTeller(run)) ?? inputTeller(run);
		const { retries, retryDelayMs, caps } = persisting;
		const prompting = {
			retries,
			retryDelayMs,
			caps,
			key,
			models,
			request,
			tell
		};
		const kept = keepMeanwhile(run);
		if (kept && run.state.pending.length > 0) await kept.then(void 0, ignore);
		let asking;
		try {
			asking = beside ? await askBeside(run, prompting, beside) : { asked: await askModels(run, prompting) };
		} finally {
			drafts?.end();
		}
		const { asked: thought, outcome } = asking;
		try {
			if (kept) await kept;
		} finally {
			run.emit({
				type: "thought",
				heard: outcome ? 0 : heard,
				...thought
			});
			refuseUnoffered(run, plan.tools, toolChoice);
			if (plan.maxCalls !== void 0) refuseBeyond(run, plan.maxCalls);
		}
		if (outcome) return outcome === "void" ? void 0 : outcome;
		return thought.error && toSignal(thought.error);
	};
}
var thinkOptions = {
	settings: true,
	retries: true,
	retryDelayMs: true,
	caps: true
};
function toSignal(error) {
	return error.code === "stopped" ? {
		type: "stopped",
		reason: error.message
	} : {
		type: "failed",
		error
	};
}
/** The agent's own, or those of the plan, and what its steps add. */
function instructionsOf({ agent: { instructions, backend }, plan, state }) {
	const own = plan.instructions ?? (typeof instructions === "function" ? instructions(state) : instructions);
	return backend.instructions ? [own, backend.instructions].filter(Boolean).join("\n\n") : own;
}
/**
* Calls the models while other work runs. If that work has an outcome, fails, or is unfinished when the run stops, the
* turn is discarded; only its usage is persisted.
*/
async function askBeside(run, prompting, beside) {
	const breaker = new Breaker(run.abortSignal);
	const given = run.with({ abortSignal: breaker.abortSignal });
	const work = async (begin) => {
		const outcome = await orStopped(Promise.resolve().then(begin), run.abortSignal).catch((error) => failed(error));
		if (outcome) breaker.break(reasonOf(outcome));
		return outcome;
	};
	try {
		const working = Promise.all(beside.map(work));
		const asked = await askModels(given, prompting);
		const outcomes = (await working).filter((each) => each !== void 0);
		const [outcome] = [...outcomes.filter((each) => each !== "void"), ...outcomes];
		if (!outcome) return { asked };
		return {
			asked: {
				...asked,
				parts: [],
				error: toFailure$1(breaker.broken?.reason, "step_failed")
			},
			outcome
		};
	} finally {
		breaker.end();
	}
}
function reasonOf(signal) {
	if (signal !== "void" && signal.type === "failed") return new AgentError(signal.error.code, signal.error.message);
	return new AgentError("guard_blocked", "Concurrent work discarded the turn.");
}
/**
* Rejects calls that the turn's plan excluded, such as of a tool that the model knows from an earlier turn. Written
* together with the turn, because the plan is unknown after a reload.
*/
function refuseUnoffered(run, tools, toolChoice) {
	const allowed = toolChoice?.type === "none" ? [] : tools;
	if (!allowed) return;
	for (const { key, name, approvalId } of openCalls(run.state)) {
		const spec = run.agent.tools[name];
		if (!spec || spec.terminal || approvalId !== void 0 || allowed.includes(name)) continue;
		const error = new AgentError("tool_unknown", `"${name}" cannot be called in this turn.`);
		run.emit({
			type: "observed",
			call: key,
			ms: 0,
			...failedOutcome(error)
		});
	}
}
// ../packages/core/src/stop/onFinalAnswer.ts
/**
* Ends the run when the model calls a tool whose input is the answer: of the agent's `output` type, or text. An invalid
* answer goes back with the validation error.
*/
function onFinalAnswer({ name = "final_answer", description = "Gives the final answer and ends the task. Call it once everything needed is known.", output } = {}) {
	checkAnswerTool("onFinalAnswer()", {
		name,
		description
	});
	const own = output && compileSchema(output, "The output of onFinalAnswer()");
	const step = async (run) => {
		const [final, ...others] = answerCalls(run, name);
		if (!final) return void 0;
		for (const call of others) close$1(run, call, ignored);
		const answer = await answerOf(final, own ?? run.agent.output);
		if (!answer.ok) {
			close$1(run, final, answerRefused(`The answer does not fit: ${answer.message}. Call ${name} again.`));
			return;
		}
		const value = toJson(answer.value);
		acceptCall(run, final);
		return {
			type: "answer",
			output: value,
			reason: "finalAnswer"
		};
	};
	const tools = (agent) => [answerTool({
		name,
		description,
		output: own ?? agent.output
	})];
	return Object.assign(step, { tools });
}
/**
* Returns the answer in a call. Text that does not look like JSON is a text answer of some models; other invalid input
* was cut off or broken.
*/
function answerOf({ input, invalid }, output) {
	if (invalid && (output || /^\s*[{["]/.test(String(input)))) return {
		ok: false,
		message: invalid
	};
	return readAnswer(input, output);
}
/** A turn without tool calls is the answer, and its text the output. */
var onText = () => (run) => {
	const turn = textTurn(run.state);
	if (!turn) return void 0;
	const filtered = withheld(turn);
	if (filtered) return filtered;
	const output = joined(turn, "text");
	if (turn.finish?.unified !== "length") return {
		type: "answer",
		output,
		reason: "text"
	};
	if (output !== "") return {
		type: "answer",
		output,
		reason: "length"
	};
	return failed(new AgentError("model_incomplete", "The model reached its limit of output before it answered. Raise maxOutputTokens."));
};
/** The rule that fits the agent: a typed output needs the tool that carries it. */
function onOutput() {
	const [typed, plain] = [onFinalAnswer(), onText()];
	const step = (run) => (run.agent.output ? typed : plain)(run);
	const tools = (agent) => agent.output ? typed.tools?.(agent) ?? [] : [];
	return Object.assign(step, { tools });
}
/** The backend of an agent that names none: `reasonAct()` without the code of its options. */
var defaultBackend = () => inOrder(restAfter$1(20), think$2(), act$1(), onOutput(), remind());
// ../packages/core/src/event.ts
/** Returns true for events of the log. */
var isKept = (event) => event.seq !== void 0;
// ../packages/core/src/allowed.ts
/** Returns the permission that a reply gives, if it gives one. */
function allowedBy({ ask, value, at }) {
	const { approved, always, input } = Object(value);
	if (ask.kind !== "approval" || approved !== true || always === void 0 || !mayAllow(ask, always)) return void 0;
	return {
		id: ask.id,
		always,
		ask,
		input: input ?? ask.input,
		at
	};
}
/** The permissions with one more. One for all calls of a tool replaces the one before. */
var withAllowed = (all, added) => [...(all ?? []).filter((one) => added.always !== "tool" || !isReplaced(one, added)), added].slice(-100);
var isReplaced = ({ always, ask }, { ask: added }) => always === "tool" && ask.tool === added.tool && ask.from?.agent === added.from?.agent;
// ../packages/core/src/draft.ts
/**
* Returns the draft after a live event. `iteration` is the last finished one; messages with a `seq` below `heard` may
* be in the prompt of a new turn.
*/
function reduceDraft(draft, event, iteration, heard) {
	switch (event.type) {
		case "delta": return grow(draft ?? emptyDraft(iteration + 1), event);
		case "thinking": return emptyDraft(event.iteration, event.heard ?? heard);
		case "retrying": return emptyDraft(iteration + 1, draft?.heard);
		case "progressed": {
			const base = draft ?? emptyDraft(iteration);
			return {
				...base,
				progress: {
					...base.progress,
					[event.call]: event.output
				}
			};
		}
		case "rewound": return;
		case "dropped":
		case "owned":
		case "linked": return draft;
	}
}
var emptyDraft = (iteration, heard) => {
	const empty = {
		iteration,
		text: "",
		reasoning: "",
		inputs: none$2,
		progress: none$2
	};
	return heard === void 0 ? empty : {
		...empty,
		heard
	};
};
var none$2 = Object.freeze({});
function grow(draft, { kind, delta, id = "", tool }) {
	if (kind === "text") return {
		...draft,
		text: draft.text + delta
	};
	if (kind === "reasoning") return {
		...draft,
		reasoning: draft.reasoning + delta
	};
	const known = Object.hasOwn(draft.inputs, id) ? draft.inputs[id] : void 0;
	if (!known && !mayOpen(draft, id)) return draft;
	const inputs = Object.assign(Object.create(null), draft.inputs);
	inputs[id] = {
		tool: tool ?? known?.tool ?? "",
		text: (known?.text ?? "") + delta
	};
	return {
		...draft,
		inputs
	};
}
/** The limit of inputs in a draft, since each chunk rebuilds all of them. Others appear when the turn is complete. */
var mostInputs = 100;
var mayOpen = ({ inputs }, id) => id !== "__proto__" && Object.keys(inputs).length < mostInputs;
// ../packages/core/src/reduce.ts
/**
* Computes the state after an event. Pure, and the only function that changes state, so a log always gives the same
* state.
*/
function reduce(state, event) {
	const next = { ...state };
	if (isKept(event)) {
		change(next, event);
		next.seq = event.seq + 1;
		next.updatedAt = event.at;
	} else next.draft = reduceDraft(state.draft, event, state.iteration, state.seq);
	return next;
}
/** The state after a whole log. */
var fold = (events) => {
	let state = initialState;
	for (const event of events) state = reduce(state, event);
	return state;
};
function change(state, event) {
	switch (event.type) {
		case "started":
			begin$2(state, event);
			return;
		case "seeded":
			state.history = append(state.history, {
				type: "messages",
				at: event.at,
				messages: event.messages
			});
			return;
		case "said":
			say$1(state, event);
			return;
		case "drafted": {
			const { text, reasoning } = event;
			state.drafted = text || reasoning ? {
				text,
				reasoning
			} : void 0;
			return;
		}
		case "thought":
			think$1(state, event);
			return;
		case "called":
			act(state, event);
			return;
		case "observed":
			observe$1(state, event);
			return;
		case "amended":
			amend$1(state, event);
			return;
		case "asked":
			ask$1(state, event.ask);
			return;
		case "replied":
			reply$1(state, event);
			return;
		case "withdrawn":
			withdraw(state, event);
			return;
		case "allowed":
			allow(state, event);
			return;
		case "disallowed":
			state.allowed = state.allowed?.filter(({ id }) => id !== event.id);
			return;
		case "noted":
			note(state, event);
			spend(state, event.usage);
			return;
		case "compacted":
			compact(state, event);
			return;
		case "resumed":
			resume(state, event.at);
			return;
		case "imported":
			Object.assign(state, importedChange(state, event.at));
			return;
		case "rested": rest$1(state, event.signal);
	}
}
function begin$2(state, started) {
	const { runId, agent, version, format, at, parent, exposeReasoning, forkedFrom } = started;
	state.runId = runId;
	state.agent = agent;
	state.version = version;
	if (format) state.format = format;
	if (parent) state.parent = parent;
	if (forkedFrom?.alone) state.mayLackChildren = true;
	if (exposeReasoning === false) state.exposeReasoning = exposeReasoning;
	state.startedAt = at;
	state.request = {
		...initialState.request,
		startedAt: at
	};
}
/** Continues a run after its end, so `finish` no longer applies. The time in between does not count. */
function resume(state, at) {
	const { finish, ...request } = state.request;
	const restedMs = request.restedMs + at - state.updatedAt;
	state.request = {
		...request,
		restedMs,
		...finish && state.rest?.type !== "stopped" && { finish }
	};
	state.rest = void 0;
}
/** Applies a signal. A run with its answer needs none of the limit questions that it asked beforehand. */
function rest$1(state, signal) {
	state.rest = signal;
	state.draft = void 0;
	if (signal.type === "stopped") state.asks = [];
	else if (signal.type === "answer" && state.asks.length > 0) state.asks = state.asks.filter((ask) => !isOwnLimit(ask));
}
/** Leaves a rest. The time of the rest does not count as work. */
function awake(state, at) {
	if (!state.rest) return;
	const { request } = state;
	state.rest = void 0;
	state.request = {
		...request,
		restedMs: request.restedMs + at - state.updatedAt
	};
}
function say$1(state, { type, seq, at, by, content, isSending, replaces }) {
	if (replaces !== void 0) {
		state.pending = state.pending.filter((said) => said.seq !== replaces);
		if (content === "") return;
	}
	state.pending = [...state.pending, {
		type,
		seq,
		at,
		by,
		content,
		...isSending && { isSending }
	}];
	if (!(by === "user" && (state.rest ? state.rest.type !== "inputNeeded" : !state.request.seq))) return;
	const { iteration, toolCalls, usage } = state;
	state.asks = state.asks.filter((ask) => !isOwnLimit(ask));
	state.request = {
		seq,
		startedAt: at,
		iteration,
		toolCalls,
		usage,
		restedMs: 0
	};
	state.extensions = {};
	state.rest = void 0;
}
function think$1(state, thought) {
	const { heard, iteration } = thought;
	for (const said of state.pending) if (said.seq < heard) state.history = append(state.history, said);
	state.history = append(state.history, turnOf(thought));
	if (state.pending.length > 0) state.pending = state.pending.filter((said) => said.seq >= heard);
	state.usage = addUsage(state.usage, thought.usage);
	state.iteration = iteration;
	state.draft = void 0;
	state.drafted = void 0;
}
function turnOf(thought) {
	const { at, iteration, model, parts, usage, ms, finish, warnings, providerMetadata, responseId, error } = thought;
	const turn = {
		type: "turn",
		at,
		iteration,
		model,
		parts,
		usage,
		ms,
		calls: error ? [] : callsOf$1(thought, iteration)
	};
	if (finish !== void 0) turn.finish = finish;
	if (warnings !== void 0) turn.warnings = warnings;
	if (providerMetadata !== void 0) turn.providerMetadata = providerMetadata;
	if (responseId !== void 0) turn.responseId = responseId;
	if (error !== void 0) turn.error = error;
	return turn;
}
/** Counts a call once, however often it is started, so that reloading a page reaches no limit. */
function act(state, event) {
	let first = 1;
	changeCall$1(state, event.call, (call) => {
		if (call.calledAt !== void 0) first = 0;
		return begun(call, event, isAsking(state, call));
	});
	state.toolCalls += first;
}
/** A tool that starts with answers while other questions of it are open may act on them at any time. */
function begun(call, { at, input, resumes }, acts) {
	const { answered, idle, acts: acted } = call;
	const next = {
		...answered || idle || acted ? unmarked(call) : call,
		calledAt: at
	};
	if (call.notes) next.notes = without(without(call.notes, doubtOf(call.key)), unbegunOf(call.key));
	if (acts) next.acts = acts;
	if (resumes) next.resumes = resumes;
	if (input !== void 0) {
		next.input = input;
		next.proposed = call.proposed ?? call.input;
	}
	return next;
}
var unmarked = ({ answered: _, idle: __, acts: ___, ...call }) => call;
function without(record, key) {
	if (!Object.hasOwn(record, key)) return record;
	const { [key]: _, ...others } = record;
	return others;
}
function ask$1(state, asked) {
	state.asks = [...state.asks, asked];
	if (isOwnLimit(asked)) return;
	if (asked.call === void 0) state.questions = {
		...state.questions,
		[asked.id]: asked
	};
	else changeCall$1(state, asked.call, (call) => waiting(call, asked));
}
/** A tool that asks waits, and what it did before may happen again: it is asked from the top after a reload. */
function waiting(call, asked) {
	const questions = {
		...call.questions,
		[asked.id]: asked
	};
	const isIdle = call.calledAt !== void 0 && !call.acts && isQuestionOf(call, asked);
	return {
		...call,
		questions,
		...isIdle && { idle: true }
	};
}
/** Returns true if the question comes from inside the tool's function. */
var isQuestionOf = ({ key }, { id }) => /^\/ask\/\d/.test(id.slice(key.length)) && id.startsWith(key);
var isAsking = ({ asks }, call) => asks.some((open) => isQuestionOf(call, open));
function withdraw(state, { ask: id, at }) {
	const ask = state.asks.find((open) => open.id === id);
	if (ask?.call !== void 0) changeCall$1(state, ask.call, ({ idle: _, ...call }) => call);
	state.asks = state.asks.filter((open) => open !== ask);
	awake(state, at);
}
function observe$1(state, event) {
	const { call: key, at } = event;
	changeCall$1(state, key, (call) => observed(call, event));
	if (state.asks.some((ask) => ask.call === key)) state.asks = state.asks.filter((ask) => ask.call !== key);
	const { draft } = state;
	if (draft && Object.hasOwn(draft.progress, key)) state.draft = {
		...draft,
		progress: without(draft.progress, key)
	};
	awake(state, at);
}
function observed(call, { at, ms, result, output, error, final }) {
	const { questions, idle, acts } = call;
	const next = {
		...questions || idle || acts ? ended(call) : call,
		ms,
		result,
		observedAt: at
	};
	if (output !== void 0) next.output = output;
	if (error !== void 0) next.error = error;
	if (final !== void 0) next.final = final;
	return next;
}
var ended = ({ questions: _, idle: __, acts: ___, ...call }) => call;
function reply$1(state, { ask: id, value, at, taken }) {
	const ask = state.asks.find((open) => open.id === id);
	if (!ask) return;
	state.asks = state.asks.filter((open) => open !== ask);
	awake(state, at);
	const allowed = state.parent ? void 0 : allowedBy({
		ask,
		value,
		at
	});
	if (allowed) state.allowed = withAllowed(state.allowed, allowed);
	if (isOwnLimit(ask)) {
		const reply = value;
		if ("extend" in reply) state.extensions = extend(state, ask.limit, reply.extend);
		else if (ask.finish) state.request = {
			...state.request,
			finish: true
		};
		return;
	}
	if (ask.call === void 0) {
		note(state, {
			key: id,
			value
		});
		return;
	}
	const waits = !taken && ask.kind !== "approval";
	const acts = taken === true && isAsking(state, { key: ask.call });
	changeCall$1(state, ask.call, (call) => answered(call, {
		id,
		value,
		waits,
		acts
	}));
}
/** Applies a question that an earlier reply answers: as if it was asked, and approved at once. */
function allow(state, { ask: asked, by, at }) {
	ask$1(state, asked);
	reply$1(state, {
		ask: asked.id,
		value: { approved: true },
		at
	});
	if (asked.call !== void 0 && !asked.from) changeCall$1(state, asked.call, (call) => ({
		...call,
		allowed: by
	}));
}
/** Applies a reply. A waiting tool that has not received it has done nothing with it yet. */
function answered({ answered: _, idle, ...call }, { id, value, waits, acts }) {
	const notes = {
		...call.notes,
		[id]: value
	};
	return {
		...call,
		notes,
		...waits && idle && { idle },
		...waits && call.calledAt !== void 0 && { answered: true },
		...acts && { acts }
	};
}
var extend = ({ extensions }, limit, by) => ({
	...extensions,
	[limit]: (extensions[limit] ?? 0) + by
});
function note(state, noted) {
	const { call } = noted;
	if (call === void 0) state.notes = withNote(state.notes, noted);
	else changeCall$1(state, call, (open) => ({
		...open,
		notes: withNote(open.notes, noted)
	}));
}
/** Adds a note. The log of a child run is noted in pages, so that its parent's notes stay few. */
function withNote(notes, { key, value }) {
	if (!Array.isArray(value)) return {
		...notes,
		[key]: value
	};
	const { seq } = Object(value[0]);
	if (typeof seq !== "number" || !key.endsWith(`>log/${seq}`)) return {
		...notes,
		[key]: value
	};
	const page = key.slice(0, -String(seq).length) + (seq - seq % logPage);
	const before = notes?.[page];
	return {
		...notes,
		[page]: Array.isArray(before) ? [...before, ...value] : value
	};
}
/** The number of events in one note of a child's log, or a few more. */
var logPage = 256;
function compact(state, { iteration, messages, keep, usage }) {
	state.compacted = {
		messages,
		from: Math.max(0, lengthOf(state.history) - keep),
		iteration
	};
	state.compactions++;
	spend(state, usage);
}
function spend(state, usage) {
	if (usage) state.usage = addUsage(state.usage, usage);
}
function amend$1(state, { of, content, input, result, output }) {
	if (typeof of !== "string") {
		const amended = (said) => said.seq === of && content !== void 0 ? {
			...said,
			content
		} : said;
		state.pending = state.pending.map(amended);
		return;
	}
	changeCall$1(state, of, ({ output: returned, ...call }) => {
		const shown = result ? output : returned;
		return {
			...call,
			...input !== void 0 && { input },
			...result && { result },
			...shown !== void 0 && { output: shown }
		};
	});
}
/**
* Applies an import. The run's past stays as in its log, but its permissions do not count: questions are closed, open
* calls lose their approvals and replies, and limits count from here.
*/
function importedChange(state, at) {
	const { rest, iteration, toolCalls, usage } = state;
	const { seq } = state.request;
	return {
		...openAgain(state),
		mayLackChildren: true,
		rest: rest?.type === "answer" || rest?.type === "failed" ? rest : importedRest,
		draft: void 0,
		asks: [],
		allowed: void 0,
		extensions: {},
		questions: void 0,
		request: {
			seq,
			startedAt: at,
			iteration,
			toolCalls,
			usage,
			restedMs: 0
		}
	};
}
function openAgain(state) {
	const turn = latestTurn(state);
	return turn && { history: replaceLast(state.history, {
		...turn,
		calls: turn.calls.map(withoutConsent)
	}) };
}
/** Removes the consent of a call that a provider runs: it has not run until the provider receives the consent. */
function withoutConsent(call) {
	const { key, id, name, proposed, input, approvalId, invalid, calledAt, resumes, result } = call;
	if (result && approvalId === void 0) return call;
	return {
		key,
		id,
		name,
		input: proposed ?? input,
		...approvalId !== void 0 && { approvalId },
		...invalid !== void 0 && { invalid },
		...calledAt !== void 0 && { calledAt },
		...resumes && { resumes }
	};
}
// ../packages/core/src/log/listeners.ts
/** The listeners of a run, or of what is shown of it. They receive its events in order. */
var Listeners = class {
	#all = [];
	#isTelling = false;
	/** Events that a listener caused, while others have not received the one before. */
	#untold = [];
	/** Adds a listener. Returns what ends it. */
	add(given) {
		assertOption(typeof given === "function", notListener);
		const listener = (event, state) => given(event, state);
		this.#all = [...this.#all, listener];
		return () => {
			this.#all = this.#all.filter((other) => other !== listener);
		};
	}
	/** Delivers an event. If a listener causes another one, it follows when all listeners have received the first. */
	tell(event, state) {
		if (this.#all.length === 0) return;
		if (this.#isTelling) {
			this.#untold.push([event, state]);
			return;
		}
		this.#isTelling = true;
		this.#deliver(event, state);
		for (let next = this.#untold.shift(); next; next = this.#untold.shift()) this.#deliver(...next);
		this.#isTelling = false;
	}
	#deliver(event, state) {
		for (const listener of this.#all) try {
			listener(event, state);
		} catch (error) {
			reportLater(error);
		}
	}
};
var notListener = "A listener must be a function. For an object with hooks use observer({ onFinish }) of @interleave/core/observe.";
// ../packages/core/src/log/log.ts
/** The events of one run: their state and their listeners. */
var Feed = class {
	state;
	/** The durable ones. The list grows, and shrinks when events are discarded. */
	log;
	#listeners = new Listeners();
	constructor({ state, log }) {
		this.state = state;
		this.log = [...log];
	}
	/** Adds the next event and notifies listeners. `state` is the state after it, if it is already known. */
	tell(event, state = reduce(this.state, event)) {
		if (isKept(event)) this.log.push(event);
		this.#hear(event, state);
	}
	/** Discards all but the first `to` events. The correct events follow. `state` is their fold, if it is known. */
	rewind(to, state) {
		this.log.length = to;
		this.#hear({
			type: "rewound",
			to
		}, state ?? fold(this.log));
	}
	subscribe(listener) {
		return this.#listeners.add(listener);
	}
	#hear(event, state) {
		this.state = state;
		this.#listeners.tell(event, state);
	}
};
/** The events of one run that executes here: their feed and their journal. */
var Log = class extends Feed {
	/** The parts that only runs that outlive their page need. */
	engine;
	/** The state that the run began with here: the fold of what the journal had then. */
	past;
	#host;
	#writer;
	#closed = void 0;
	constructor({ host, journal, engine, ...past }) {
		super(past);
		this.engine = journal?.engine ?? engine;
		this.past = past.state;
		this.#host = host;
		this.#writer = journal?.engine.write({
			journal,
			runId: () => this.state.runId,
			durableSeq: past.state.seq
		});
	}
	/** The number of events that the journal has; all of them if there is no journal. */
	get durableSeq() {
		return this.#writer?.durableSeq ?? this.state.seq;
	}
	/** The number of failed writes. */
	get failures() {
		return this.#writer?.failures ?? 0;
	}
	emit(body) {
		if (this.#closed) return;
		const { seq, iteration } = this.state;
		const event = {
			seq,
			at: this.#host.now(),
			iteration: body.type === "thought" ? iteration + 1 : iteration,
			...body
		};
		this.#writer?.add(event);
		this.tell(event);
	}
	live(event) {
		this.tell(event);
	}
	/** Makes this the owner of the run in the journal, immediately and not with the next write. */
	claim() {
		this.#writer?.claim();
	}
	/** Resolves when every event so far is durable; undefined if all of them are. */
	durable(durability) {
		return this.#closed ? Promise.reject(this.#closed) : this.#writer?.durable(durability);
	}
	/**
	* Ignores all later events, and rejects their waiters with this reason. Resolves once the journal has what there is; nothing is written
	* after that. Rejects if the journal refuses it for now: it may be called again.
	*/
	close(reason) {
		this.#closed = reason;
		return this.#writer?.close();
	}
	/** Calls back each time when the journal has taken a write. Returns what ends it. */
	onRecovered(callback) {
		return this.#writer?.onWritten(callback) ?? (() => {});
	}
	/** Calls back each time when a write fails. Returns what ends it. */
	onFailed(callback) {
		return this.#writer?.onFailed(callback) ?? (() => {});
	}
	/** The number of the failed write that this error reports, from 1; 0 for any other error. */
	failureOf(error) {
		return this.#writer?.failureOf(error) ?? 0;
	}
};
// ../packages/core/src/log/openRun.ts
/** Returns true for a run, of this or another copy of this package. */
var isRun = (value) => {
	const { subscribe, log } = Object(value);
	return typeof subscribe === "function" && Array.isArray(log);
};
/** Ends an object of a run that another one replaces: it writes what it still has, and then no more. */
var handOver = async (run, reason) => run.handOver?.(reason);
// ../packages/core/src/plan.ts
/** One for all: a plan is read often, and seldom changed. */
var noPlan = Object.freeze({});
function createPlanner() {
	let planned = 0;
	let plan = noPlan;
	const of = (turn) => turn === planned ? plan : noPlan;
	return {
		of,
		change(turn, change) {
			plan = combine(of(turn), change);
			planned = turn;
		},
		forget() {
			plan = noPlan;
		}
	};
}
/** Combines two plans. The later one overrides; restrictions are intersected. */
function combine(before, change) {
	const { tools = change.tools, hearBefore = change.hearBefore, maxCalls = change.maxCalls } = before;
	const allowed = tools?.filter((name) => change.tools?.includes(name) ?? true);
	const settings = before.settings || change.settings ? {
		...before.settings,
		...change.settings
	} : void 0;
	return {
		...before,
		...change,
		...allowed && { tools: allowed },
		...settings && { settings },
		...maxCalls !== void 0 && { maxCalls: Math.min(maxCalls, change.maxCalls ?? maxCalls) },
		...hearBefore !== void 0 && { hearBefore: Math.min(hearBefore, change.hearBefore ?? hearBefore) },
		...before.beside && { beside: [...before.beside, ...change.beside ?? []] }
	};
}
// ../packages/core/src/engine/loop.ts
/** The whole loop: the backend is passed again and again, until it signals. */
async function untilSignal(run) {
	for (;;) {
		run.forgetPlan();
		const before = run.state.seq;
		let signal;
		try {
			const { live, backend } = run.agent;
			signal = await backend(live ? await live.enter(run) : run);
		} catch (error) {
			if (!run.abortSignal.aborted) throw error;
		}
		if (run.abortSignal.aborted) return {
			type: "stopped",
			reason: run.abortSignal.reason.message
		};
		if (signal) return checked(signal, run);
		if (run.state.seq === before) throw stalled(run);
	}
}
/** A signal that no log could be read with again. A step may have taken it from notes of a damaged log. */
function checked(signal, { engine }) {
	const wrong = engine ? engine.misfitOf(signal) : misfitOf(signal);
	if (wrong === void 0) return signal;
	throw new AgentError("state_invalid", `A step gave a signal with a wrong or missing "${wrong}".`);
}
/** The path to what the run itself would stumble over. */
function misfitOf(signal) {
	switch (signal.type) {
		case "answer":
		case "stopped": return typeof signal.reason === "string" ? void 0 : "reason";
		case "failed": return typeof signal.error?.message === "string" ? void 0 : "error";
		case "inputNeeded": return signal.asks?.[0] ? void 0 : "asks";
		case "limitReached": return typeof signal.ask?.id === "string" ? void 0 : "ask";
		default: return "type";
	}
}
function stalled({ agent: { name }, state: { history, pending } }) {
	return new AgentError("stalled", history.length + pending.length === 0 ? `The run of the agent "${name}" has no message yet. Send one with run.say().` : `A pass of the agent "${name}" did nothing. Its backend needs a step that thinks, acts or stops here.`);
}
/**
* The run as its steps see it in one period of work. Steps take methods off it, so each is a function of its own; views
* derive from it, so nothing of it is `#private`.
*/
var WorkContext = class {
	agent;
	host;
	journal;
	engine;
	children;
	abortSignal;
	prompt = promptBuilder();
	log;
	people;
	lease;
	ends;
	planner = createPlanner();
	constructor({ agent, host, journal, children, abortSignal, log, people, lease, ends }) {
		this.agent = agent;
		this.host = host;
		this.journal = journal;
		this.engine = log.engine;
		this.children = children;
		this.abortSignal = abortSignal;
		this.log = log;
		this.people = people;
		this.lease = lease;
		this.ends = ends;
	}
	get state() {
		return this.log.state;
	}
	get durableSeq() {
		return this.log.durableSeq;
	}
	get mayLackChildren() {
		const { state, past } = this.log;
		return state.mayLackChildren === true || !this.journal && past.seq > 0;
	}
	get plan() {
		const { iteration } = this.log.state;
		const plan = this.planner.of(iteration + 1);
		const before = plannedByTools(this.agent, this.log.state);
		return before ? combine(before, plan) : plan;
	}
	whileActive(key, begin) {
		if (!this.ends.has(key)) this.ends.set(key, begin());
	}
	with(members) {
		return Object.create(this, Object.getOwnPropertyDescriptors(members));
	}
	/** Clears the plan of the turn: each pass makes its own. */
	forgetPlan() {
		this.planner.forget();
	}
	replan = (change) => this.planner.change(this.log.state.iteration + 1, change);
	emit = (event) => {
		this.lease.check();
		this.log.emit(event.type === "noted" ? {
			...event,
			value: toJson(event.value)
		} : event);
	};
	live = (event) => {
		this.lease.check();
		this.log.live(event);
	};
	durable = (durability) => this.log.durable(durability);
	onRecovered = (callback) => this.log.onRecovered(callback);
	isFailure = (error) => this.log.failureOf(error) > 0;
	ask = (key, question) => {
		this.lease.check();
		return this.people.own.ask(key, question);
	};
	once = (key, fn) => {
		this.lease.check();
		return this.people.own.once(key, fn);
	};
	activity = (call) => {
		this.lease.check();
		return this.people.own.activity(call);
	};
};
/**
* The right of one working period to write to the log, until it is revoked. Work may ignore its stop: the run no longer waits for it
* then, and later writes throw.
*/
var Lease = class {
	#over = void 0;
	#settle = void 0;
	/** Throws once the lease is over. */
	check() {
		if (this.#over) throw this.#over;
	}
	/** The result of the work, or the signal that ended the lease first. */
	orEnd(work) {
		return new Promise((resolve, reject) => {
			this.#settle = resolve;
			work.then(resolve, reject);
		});
	}
	end(signal, reason) {
		this.#over = reason;
		this.#settle?.(signal);
	}
};
var planning = /* @__PURE__ */ new WeakMap();
/** Few agents have such a tool, and a plan is read often. */
var mayPlan = (tools) => planning.get(tools) ?? cached(planning, tools, hasPlan(tools));
var hasPlan = (tools) => () => Object.values(tools).some(({ next }) => next !== void 0);
/** Returns the plan that the tools of a turn set for the next turn. The first tool that sets a field wins. */
function plannedByTools({ tools }, state) {
	if (!mayPlan(tools)) return void 0;
	const plans = lastWholeTurn(state)?.calls.flatMap((call) => nextOf(tools[call.name], call) ?? []) ?? [];
	return plans.length > 0 ? Object.assign({}, ...plans.reverse()) : void 0;
}
/** Returns the latest complete turn. One that was cut off is requested again in the same way. */
function lastWholeTurn({ history }) {
	for (let index = lengthOf(history) - 1; index >= 0; index--) {
		const entry = itemAt(history, index);
		if (entry?.type === "turn" && !entry.error) return entry;
	}
}
function nextOf(spec, { result, output, error }) {
	if (!spec?.next || !result || error) return void 0;
	if (typeof spec.next !== "function") return spec.next;
	if (spec.toModelOutput && output === void 0) return void 0;
	return spec.next(structuredClone(output ?? ("value" in result ? result.value : void 0)));
}
// ../packages/core/src/engine/people.ts
/** A waiter for a reply. Ending the wait counts immediately; the waiting code continues soon after. */
var Waiter = class {
	asking;
	answer;
	activity;
	/** Its answer was recorded while it was checked. */
	settled = false;
	#id;
	#resolve = () => {};
	#reject = () => {};
	constructor(id, asking, activity) {
		this.#id = id;
		this.asking = asking;
		this.activity = activity;
		this.answer = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		this.answer.catch(() => {});
	}
	answerWith(value) {
		this.#leave();
		this.#resolve(value);
	}
	giveUp(reason) {
		this.#leave();
		this.#reject(reason);
	}
	#leave() {
		this.activity.people.waiters.delete(this.#id);
		this.activity.countAnswers(-1);
	}
};
/** An activity that waits for users on its own: the run, one of its calls, a branch. */
var LocalActivity = class LocalActivity {
	clock = void 0;
	people;
	#call;
	#whole;
	/** While it has parts, they decide whether it waits. */
	#parts = void 0;
	/** The number of replies that it waits for. */
	#answers = 0;
	/** True if it works although questions are open. */
	#works = false;
	/** The last state reported to its clock. */
	#waited = false;
	constructor(people, whole, call) {
		this.people = people;
		this.#whole = whole;
		this.#call = call;
	}
	get hasParts() {
		return this.#parts !== void 0 && this.#parts.size > 0;
	}
	get isWaiting() {
		if (!this.hasParts) return this.#answers > 0 && !this.#works;
		for (const part of this.#parts ?? []) if (!part.isWaiting) return false;
		return true;
	}
	ask(id, asking) {
		return this.people.ask(id, asking, this, this.#call);
	}
	once(key, fn) {
		return this.people.once(key, fn, this.#call);
	}
	settle(key, reply) {
		this.people.settle(key, reply);
	}
	works(working) {
		this.#works = working;
		this.#tellClock();
		if (!working) this.people.lookIfAllWait();
	}
	activity(call) {
		const part = new LocalActivity(this.people, this, call);
		this.#parts ??= /* @__PURE__ */ new Set();
		this.#parts.add(part);
		this.#tellClock();
		return part;
	}
	end() {
		const whole = this.#whole;
		if (whole) whole.#parts?.delete(this);
		this.people.forget(this);
		if (whole) whole.#tellClock();
		if (this.people.own.hasParts) this.people.lookIfAllWait();
	}
	/** Changes the number of replies that it waits for. */
	countAnswers(more) {
		this.#answers += more;
		this.#tellClock();
	}
	/** Also those of what it is a part of. */
	#tellClock() {
		const waits = this.isWaiting;
		if (waits !== this.#waited) {
			this.#waited = waits;
			if (waits) this.clock?.stop();
			else this.clock?.start();
		}
		if (this.#whole) this.#whole.#tellClock();
	}
};
/** The questions of a run and their waiters. */
var People = class {
	/** The run's own, which all others are parts of. */
	own;
	once;
	/** By the id of their question. */
	waiters = /* @__PURE__ */ new Map();
	#log;
	#host;
	#onAllWait;
	#left = void 0;
	constructor(log, { host, onAllWait }) {
		this.#log = log;
		this.#host = host;
		this.#onAllWait = onAllWait;
		this.once = noteOnce(log, host);
		this.own = new LocalActivity(this);
	}
	/** Returns true if every activity waits for a user. */
	get allWait() {
		return this.waiters.size > 0 && (!this.own.hasParts || this.own.isWaiting);
	}
	lookIfAllWait() {
		if (this.allWait) this.#onAllWait();
	}
	/** Lets work ask. */
	enter() {
		this.#left = void 0;
	}
	/** Ends all waits, and those that would start before `enter`. */
	leave(reason) {
		this.#left = { reason };
		for (const waiter of [...this.waiters.values()]) waiter.giveUp(reason);
	}
	/** Forgets the questions of an activity that is over. */
	forget(activity) {
		for (const [id, waiter] of this.waiters) if (waiter.activity === activity) this.waiters.delete(id);
	}
	async ask(key, asking, activity, call) {
		const log = this.#log;
		const built = checkQuestion(asPlain({
			...await asking.question,
			id: key,
			...call !== void 0 && { call }
		}));
		const { id, isAnswered } = identify(log.state, built);
		if (isAnswered || this.#isAllowed({
			...built,
			id
		})) {
			const checked = await asking.check(structuredClone(notesOf(log.state, call)[id]));
			if (checked.ok) {
				await log.durable();
				return checked.value;
			}
		}
		checkOpen(log.state, call);
		if (this.#left) throw this.#left.reason;
		const asked = {
			...built,
			id
		};
		for (const open of log.state.asks) if (this.#isReplaced(open, asked)) log.emit({
			type: "withdrawn",
			ask: open.id
		});
		const { answer } = this.waiters.get(id) ?? this.#wait(id, asking, activity);
		if (!log.state.asks.some((open) => open.id === id)) log.emit({
			type: "asked",
			ask: asked
		});
		this.lookIfAllWait();
		await this.#host.perform({
			kind: "wait",
			key: id,
			ask: asked
		}, () => answer.then(() => null));
		const given = await answer;
		await log.durable();
		return given;
	}
	/** Returns true if an earlier reply answers the question, and records that. What is asked already stays open until it is answered. */
	#isAllowed(ask) {
		const { state } = this.#log;
		const allowed = allowedFor(state.allowed, ask);
		if (!allowed || this.#left || state.asks.some(({ id }) => id === ask.id)) return false;
		checkOpen(state, ask.call);
		this.#log.emit({
			type: "allowed",
			ask,
			by: allowed.id
		});
		return true;
	}
	#wait(id, asking, activity) {
		const waiter = new Waiter(id, asking, activity);
		this.waiters.set(id, waiter);
		activity.countAnswers(1);
		return waiter;
	}
	/**
	* Returns true if this question replaces the open one, which was asked before a reload with other words and has no
	* waiter.
	*/
	#isReplaced(open, { id, call }) {
		return open.id !== id && open.call === call && keyOf(open.id) === keyOf(id) && !this.waiters.has(open.id);
	}
	settle(key, reply) {
		const log = this.#log;
		const { state } = log;
		const id = state.asks.find((open) => open.id === key || keyOf(open.id) === key)?.id ?? key;
		const waiter = this.waiters.get(id);
		if (waiter && reply !== void 0) waiter.settled = true;
		if (state.asks.some((open) => open.id === id)) log.emit(reply === void 0 ? {
			type: "withdrawn",
			ask: id
		} : {
			type: "replied",
			ask: id,
			value: reply
		});
		if (reply === void 0) waiter?.giveUp(callOver());
		else waiter?.answerWith(structuredClone(reply));
	}
	/** Validates and records a reply, and wakes its waiter. Returns the question. */
	async reply(id, value) {
		const log = this.#log;
		const asked = findAsk(log.state, id);
		const waiter = this.waiters.get(id);
		const plain = toReply(value);
		const checked = await (waiter ? waiter.asking.check(structuredClone(plain)) : checkReply(asked, plain));
		if (waiter?.settled) return asked;
		if (this.waiters.get(id) !== waiter && findAsk(log.state, id)) return this.reply(id, plain);
		if (!checked.ok) throw new AgentError("reply_invalid", checked.message);
		if (findAsk(log.state, id) !== asked) throw new AgentError("ask_unknown", `The question "${id}" was asked again meanwhile.`);
		const taken = waiter && asked.call !== void 0 && asked.kind !== "approval";
		log.emit({
			type: "replied",
			ask: id,
			value: plain ?? null,
			...taken && { taken }
		});
		waiter?.answerWith(checked.value);
		this.lookIfAllWait();
		return asked;
	}
};
/** Returns the id of a question, and whether the log has its answer. */
function identify(state, built) {
	const questions = questionsOf(state, built.call);
	const known = idOf$2(built, questions);
	if (known !== void 0) return {
		id: known,
		isAnswered: Object.hasOwn(notesOf(state, built.call), known)
	};
	return {
		id: Object.keys(questions).some((id) => id === built.id || keyOf(id) === built.id) ? replacing(built.id, state.seq) : built.id,
		isAnswered: false
	};
}
/** A reply as plain JSON; undefined for none. */
function toReply(value) {
	if (value === void 0) return void 0;
	try {
		return toJson(value);
	} catch (error) {
		throw new AgentError("reply_invalid", messageOf(error), { cause: error });
	}
}
function findAsk({ asks }, id) {
	const found = asks.find((open) => open.id === id);
	if (found) return found;
	throw new AgentError("ask_unknown", `There is no open question "${id}". Open are: ${asks.map((other) => other.id).join(", ") || "none"}.`);
}
// ../packages/core/src/engine/rest.ts
/** Decides whether a run settles, writes its signal, and resolves `settled` once the journal has it. */
var Rest = class {
	#log;
	#upcoming = void 0;
	#entering = void 0;
	/** The number of failed writes that were reported. */
	#told = 0;
	constructor(log) {
		this.#log = log;
	}
	/** Resolves with the next signal; immediately, if the run is paused or finished. */
	get settled() {
		const { rest } = this.#log.state;
		if (!rest) return this.#next().promise;
		return this.#entering ?? Promise.resolve(typed(rest));
	}
	/** Returns the failure to write what there is so far, if that fails. */
	async fault() {
		try {
			await this.#log.durable();
			return;
		} catch (error) {
			return failed(error, "journal_failed");
		}
	}
	/** Decides what follows the end of a period of work. */
	afterWork({ signal, thrown, begin, fault }) {
		const { state } = this.#log;
		if (signal.type === "answer" && isInterrupted(state, begin) && !fault) return "works";
		if (this.#isTold(thrown) && state.rest) return "isLeft";
		if (this.#isTold(thrown) && !fault) return "works";
		const early = signal.type === "limitReached" ? replyTo(signal.ask, this.#log) : void 0;
		if (early === "extends" && !fault) return "works";
		return early === "ends" ? "isLeft" : fault ?? signal;
	}
	/** Decides whether a run pauses whose activities all wait for a user. */
	whileAllWait(fault) {
		const [first, ...others] = this.#log.state.asks;
		return fault ?? (first && {
			type: "inputNeeded",
			asks: [first, ...others]
		});
	}
	/** Writes the signal, and settles the run with it once the journal has it. */
	async enter(signal) {
		const log = this.#log;
		const { promise, settle } = this.#next();
		this.#upcoming = void 0;
		this.#entering = promise;
		log.emit({
			type: "rested",
			signal
		});
		if (signal.type === "failed") this.#told = log.failures;
		const failure = await this.fault();
		if (failure) this.#told = log.failures;
		if (this.#entering === promise) this.#entering = void 0;
		if (failure && signal.type !== "failed" && log.state.rest === signal) {
			log.emit({
				type: "rested",
				signal: failure
			});
			settle(typed(failure));
		} else settle(failure && log.state.rest !== signal ? this.#next().promise : typed(signal));
	}
	/** Returns true if the run has already settled with this write failure. */
	#isTold(error) {
		const failure = this.#log.failureOf(error);
		return failure > 0 && failure <= this.#told;
	}
	#next() {
		this.#upcoming ??= settling();
		return this.#upcoming;
	}
};
function settling() {
	let settle = () => {};
	return {
		promise: new Promise((resolve) => {
			settle = resolve;
		}),
		settle
	};
}
/** The output of an answer has passed the agent's own schema. */
var typed = (signal) => signal;
/** Returns the signal of a run that settles with this reply, which ends it at its limit. */
function limitEnd(asked, reply) {
	if (!isOwnLimit(asked) || !endsRun(asked, reply)) return void 0;
	return {
		type: "stopped",
		reason: `The limit is reached: ${asked.limit}.`
	};
}
/** Returns true if the reply ends the run, and does not let the model answer with what it has. */
var endsRun = ({ finish }, reply) => !finish && "finish" in reply;
/** Returns the reply to a limit's question, if it was answered before the run could settle with it. */
function replyTo(ask, { state, log }) {
	if (ask.kind !== "extension" || state.asks.some(({ id }) => id === ask.id)) return void 0;
	const replied = log.findLast((event) => event.type === "replied" && event.ask === ask.id);
	if (replied?.type !== "replied") return void 0;
	return endsRun(ask, replied.value) ? "ends" : "extends";
}
/**
* Returns true if a message arrived during the last turn, which the model must receive before the run settles. After a
* final call only user messages count.
*/
function isInterrupted(state, begin) {
	const isFinal = latestTurn(state)?.calls.some(({ final }) => final);
	return state.pending.some(({ by, seq }) => seq >= begin && (by === "user" || !isFinal));
}
/** Returns the stop in the log, if the log ends before its signal. */
function unrested(state) {
	const { error } = latestTurn(state) ?? {};
	if (state.rest || state.pending.length > 0 || error?.code !== "stopped") return void 0;
	return {
		type: "stopped",
		reason: error.message
	};
}
/** Throws unless a message of the user waits for a later turn. The one that the run works on does not. */
function checkWaiting({ pending, draft, request }, seq) {
	if (!(seq === request.seq || seq < (draft?.heard ?? 0)) && pending.some((said) => said.seq === seq && said.by === "user")) return;
	throw new AgentError("run_busy", "The model has this message. Send another one.");
}
var checkMessage = (message) => assertOption(!isBlank(message), "say() needs a text that is not empty.");
/** Throws if the run waits for a message or a reply, since `resume` cannot continue it. */
function checkResume({ rest }) {
	if (!rest || rest.type === "failed" || rest.type === "stopped") return;
	throw new AgentError("run_busy", `A run with the signal "${rest.type}" continues with say() or reply().`);
}
// ../packages/core/src/engine/localRun.ts
/** Milliseconds without an event after which a loaded run counts as interrupted, and not only as slow. */
var longAway = 6e4;
/** Milliseconds that a step has to end after the run is stopped. Built-in steps end immediately. */
var stopMs = 5e3;
/** A run of an agent in this process, on a log that may have a past. It does nothing until it is started. */
var LocalRun = class {
	/** False if its turns cannot call a tool. */
	mayCall;
	/** The state that its log follows, if it was resumed from a state. */
	base;
	/** Its log, if a journal has it. */
	journaled;
	/** The journal that it writes to, which also has the logs of its child runs. */
	journal;
	agent;
	host;
	source;
	rest;
	timer;
	people;
	children = /* @__PURE__ */ new Map();
	ends = /* @__PURE__ */ new Map();
	controller = new AbortController();
	working = void 0;
	lease = new Lease();
	/** The work was interrupted for a message, and continues with it. */
	isHurried = false;
	constructor(agent, { state, events, engine }, options) {
		const { journal, host = localHost, observers = [] } = options;
		this.agent = agent;
		this.journal = journal;
		this.host = host;
		this.base = events.length === 0 && state.seq > 0 ? state : void 0;
		this.mayCall = agent.backend.mayCall === true || !!agent.live || Object.keys(agent.tools).length > 0;
		this.source = new Log({
			state,
			log: events,
			host,
			journal,
			engine
		});
		this.journaled = journal && this.source;
		this.rest = new Rest(this.source);
		this.timer = sharedTimer(host);
		this.people = new People(this.source, {
			host,
			onAllWait: () => void this.pause()
		});
		for (const observer of observers) this.source.subscribe(observer);
		this.subscribe = this.subscribe.bind(this);
		this.say = this.say.bind(this);
		this.reply = this.reply.bind(this);
		this.disallow = this.disallow.bind(this);
		this.stop = this.stop.bind(this);
		this.resume = this.resume.bind(this);
	}
	get id() {
		return this.source.state.runId;
	}
	get state() {
		return this.source.state;
	}
	get log() {
		return this.source.log;
	}
	get settled() {
		return this.rest.settled;
	}
	/** Writes the first events and starts to work. */
	begin(events) {
		for (const event of events) this.source.emit(event);
		this.work();
	}
	/** Resumes unfinished work, and the calls that wait for users, so that they are running when the reply arrives. */
	restart() {
		const { source, host } = this;
		if (!source.state.rest) source.claim();
		if (!source.state.rest && host.now() - source.state.updatedAt > longAway) source.emit({ type: "resumed" });
		const stop = unrested(source.state);
		if (stop) this.settle(stop);
		else if (!source.state.rest || source.state.rest.type === "inputNeeded") this.work();
	}
	subscribe(listener) {
		return this.source.subscribe(listener);
	}
	async say(content, { key, replaces, now } = {}) {
		const { source } = this;
		if (replaces === void 0) checkMessage(content);
		const plain = isBlank(content) ? "" : plainContent(content);
		if (key !== void 0 && source.log.some((event) => event.type === "said" && event.key === key)) {
			await source.durable();
			return;
		}
		if (replaces !== void 0) checkWaiting(source.state, replaces);
		if (source.state.rest?.type === "stopped" && plain !== "") closeCalls(source);
		const names = {
			...key !== void 0 && { key },
			...replaces !== void 0 && { replaces }
		};
		source.emit({
			type: "said",
			by: "user",
			content: plain,
			...names
		});
		if (now && this.working && plain !== "") {
			this.isHurried = true;
			this.interrupt("The user sent a message.");
		} else if (!source.state.rest) this.work();
		await source.durable();
	}
	async reply(ask, value) {
		const end = limitEnd(await this.people.reply(typeof ask === "string" ? ask : ask.id, value), value);
		if (end) await this.settle(end);
		else if (!this.state.rest) this.work();
		await this.source.durable();
	}
	async disallow(id) {
		const { source } = this;
		if (source.state.allowed?.some((allowed) => allowed.id === id)) source.emit({
			type: "disallowed",
			id
		});
		await source.durable();
	}
	async stop(reason = "Stopped.") {
		if (this.state.rest?.type === "limitReached") await this.settle({
			type: "stopped",
			reason
		});
		const { controller, lease } = this;
		if (this.isHurried) lease.end({
			type: "stopped",
			reason
		}, controller.signal.reason);
		this.isHurried = false;
		await this.interrupt(reason);
	}
	/** Ends the work. Resolves when the run has settled. */
	async interrupt(reason) {
		if (!this.working) return;
		const { controller, lease } = this;
		controller.abort(new AgentError("stopped", reason));
		this.people.leave(controller.signal.reason);
		const cancel = this.host.timer(stopMs, () => lease.end({
			type: "stopped",
			reason
		}, controller.signal.reason));
		await this.working;
		cancel();
	}
	resume() {
		const { source } = this;
		const { rest } = source.state;
		checkResume(source.state);
		source.claim();
		if (rest) source.emit({ type: "resumed" });
		if (latestTurn(source.state)?.error?.code === "stopped") source.emit({
			type: "said",
			by: "agent",
			content: "Go on."
		});
		this.work();
	}
	async handOver(reason) {
		if (!this.journaled) return;
		const written = this.source.close(reason);
		this.controller.abort(reason);
		this.people.leave(reason);
		await written;
		for (const child of await Promise.all(this.children.values())) if (child) await handOver(child, reason);
	}
	settle(signal) {
		this.timer.release();
		this.endUses();
		return this.rest.enter(signal);
	}
	/** Pauses the run when every activity waits for a user. The reply continues it. */
	async pause() {
		const fault = await this.rest.fault();
		if (this.state.rest || this.controller.signal.aborted || !this.people.allWait) return;
		const signal = this.rest.whileAllWait(fault);
		if (signal) await this.settle(signal);
	}
	/** Lets the run settle again if the work under way waits for users, since nothing else would notice. */
	work() {
		if (this.working === void 0) this.working = this.workOnce();
		else if (this.people.allWait) this.pause();
	}
	async workOnce() {
		const endWork = this.journal && workOn(this.journal, this.id);
		try {
			await this.workOff();
		} finally {
			endWork?.();
			this.endUses();
		}
	}
	endUses() {
		for (const end of this.ends.values()) end();
		this.ends.clear();
	}
	/** Works until the run settles, or is left to what has settled it. */
	async workOff() {
		const { source, rest } = this;
		let context = this.enterWork();
		for (;;) {
			const begin = source.state.seq;
			let thrown;
			const work = untilSignal(context).catch((error) => {
				thrown = error;
				return failed(error);
			});
			const signal = await this.lease.orEnd(work);
			const isHurried = signal.type === "stopped" && this.isHurried;
			if (signal.type === "stopped") closeCalls(source, ({ resumes }) => isHurried || !resumes);
			if (signal.type === "answer") skipCalls(source);
			const fault = await rest.fault();
			if (isHurried && !fault) {
				context = this.enterWork();
				continue;
			}
			const next = rest.afterWork({
				signal,
				thrown,
				begin,
				fault
			});
			if (next === "works") continue;
			this.working = void 0;
			return next === "isLeft" ? void 0 : this.settle(next);
		}
	}
	enterWork() {
		const { agent, source: log, people, journal, children, host, timer, ends } = this;
		this.isHurried = false;
		this.controller = new AbortController();
		this.lease = new Lease();
		people.enter();
		const { lease, controller } = this;
		return new WorkContext({
			agent,
			log,
			people,
			lease,
			journal,
			children,
			ends,
			host: withTimer(host, timer.timer),
			abortSignal: controller.signal
		});
	}
};
// ../packages/core/src/agent.ts
function agent(options) {
	refuseUnknown("agent()", options, agentOptions, sdkOptions);
	checkPlain(options);
	const { name, version = "1", instructions, backend = defaultBackend(), prices, exposeReasoning = true } = options;
	const output = options.output && compileSchema(options.output, `The output of the agent "${name}"`);
	const models = Object.freeze(["model" in options ? options.model : []].flat());
	if (!backend.ownModel || models.length > 0) checkModels(models);
	const parts = [options.tools ?? {}].flat();
	const own = parts.filter((part) => !isSource(part));
	const sources = parts.filter(isSource);
	const makeTools = (sets, toSpec = toToolSpec) => toTools([...own, ...sets], {
		backend,
		output,
		toSpec
	});
	const tools = makeTools([]);
	const live = sources[0]?.engine({
		sources,
		own: tools,
		toTools: makeTools
	});
	const self = Object.freeze({
		name,
		version,
		models,
		instructions,
		...live && { live },
		get tools() {
			return live ? live.tools : tools;
		},
		output,
		backend,
		prices,
		exposeReasoning,
		start: (input, start = {}) => begin$1(self, input, start),
		resume: (from, resume = {}) => goOn(self, from, resume)
	});
	return self;
}
var agentOptions = {
	name: true,
	model: true,
	instructions: true,
	tools: true,
	output: true,
	backend: true,
	prices: true,
	version: true,
	exposeReasoning: true
};
/** One object may hold the options of both. */
var runOptions = {
	id: true,
	key: true,
	history: true,
	parent: true,
	journal: true,
	host: true,
	observers: true,
	renamedFrom: true
};
var optionTypes = {
	version: "a string, such as \"2\"",
	backend: "a function, such as reasonAct()",
	instructions: "a string or a function",
	prices: "an object by model id, or a function",
	exposeReasoning: "a boolean"
};
function checkPlain(options) {
	assertOption(typeof options.name === "string" && options.name, "An agent needs a name.");
	for (const [name, words] of Object.entries(optionTypes)) checkType(options[name], `\`${name}\` of an agent`, words);
}
function checkModels(models) {
	assertOption(models[0], "An agent needs a model, such as openai(\"gpt-5\") of @ai-sdk/openai.");
	for (const model of models) {
		assertOption(typeof model !== "string", `The \`model\` is the string "${model}". Give a model object, such as ${modelCall(String(model))}, or languageModel("${model}") of @interleave/ai-sdk.`);
		const { specificationVersion: version = "unknown", doStream } = model ?? {};
		assertOption(version === "v4" && typeof doStream === "function", `The \`model\` has the interface ${String(version)}, not v4. Use a provider of the AI SDK 7, such as @ai-sdk/openai@4, or languageModel(model) of @interleave/ai-sdk.`);
	}
}
/** The call of a provider that makes the model of this name: a gateway's name starts with the provider. */
function modelCall(name) {
	const [, provider = "openai", id = name] = /^(\w+)\/(.+)$/s.exec(name) ?? [];
	return `${provider}("${id}")`;
}
var isSource = (part) => typeof Object(part).engine === "function";
function toTools(sets, { backend, output, toSpec }) {
	const tools = Object.create(null);
	const add = (name, make) => {
		assertOption(!tools[name], `There are two tools "${name}": of the agent, a bundle or the backend. Rename one of them.`);
		tools[name] = make();
	};
	for (const set of sets) {
		assertOption(set && typeof set === "object" && !("inputSchema" in set), "The `tools` of an agent must be an object by name: { search }.");
		for (const [name, given] of withBundled(set)) add(name, () => toSpec(name, given));
	}
	for (const spec of backend.tools?.({ output }) ?? []) add(spec.name, () => spec);
	const definitions = toolDefinitions({ tools: Object.freeze(tools) });
	if (definitions instanceof Promise) definitions.catch(() => {});
	return tools;
}
/** The tools, each bundle before what is in it. */
function* withBundled(set) {
	for (const [name, description] of Object.entries(set)) {
		yield [name, description];
		const { bundled } = description ?? {};
		if (typeof bundled === "function") yield* withBundled(bundled(name));
	}
}
function begin$1(self, input, { id, key, history, parent, ...options }) {
	assertOption(!isBlank(input), "An agent needs something to start with: a text that is not empty.");
	refuseUnknown("start()", options, runOptions, sdkOptions);
	const runId = id ?? (options.host ?? localHost).newId();
	checkRunId(runId);
	checkJournal(options.journal);
	const { name: agent, version, exposeReasoning } = self;
	const run = new LocalRun(self, {
		state: initialState,
		events: []
	}, options);
	run.begin([
		{
			type: "started",
			runId,
			agent,
			version,
			...parent && { parent },
			...!exposeReasoning && { exposeReasoning }
		},
		...history && history.length > 0 ? [{
			type: "seeded",
			messages: plainMessages(history)
		}] : [],
		{
			type: "said",
			by: "user",
			content: plainContent(input),
			...key !== void 0 && { key }
		}
	]);
	return run;
}
async function goOn(self, from, options) {
	refuseUnknown("resume()", options, runOptions, sdkOptions);
	checkJournal(options.journal);
	const run = new LocalRun(self, await pastOf(self, from, options), options);
	run.restart();
	return run;
}
function pastOf(self, from, options) {
	if (typeof Object(from).open === "function") return from.open(self, options);
	checkKey(from);
	assertOption(options.journal, "To resume by id, use resume(id, { journal }).");
	return options.journal.engine.open(from, self, options);
}
function checkJournal(journal) {
	assertOption(journal === void 0 || typeof Object(journal).engine?.open === "function", "The `journal` has no `engine`. Wrap your own with createJournal() of @interleave/core/journal.");
}
// ../packages/react/src/untrusted/addresses.ts
/** Finds addresses whose host misleads a reader: with lookalike letters, behind a name and `@`, or as numbers. */
function deceptiveAddresses(text) {
	if (!/[@/\\]/.test(text)) return [];
	return addressesIn(text).flatMap(({ start, written, isWeb }) => {
		const host = hostOf(written);
		return host === void 0 || (isWeb ? isWebPlain(written, host) : isMailPlain(written, host)) ? [] : [{
			start,
			end: start + written.length,
			host
		}];
	});
}
var longestWritten = 2e3;
/** Returns the web and mail addresses in a text. Linear in its length. */
function addressesIn(text) {
	const found = [];
	for (const { 0: word, index } of text.matchAll(/[^\s"'<>`]+/g)) {
		const web = webStart(word);
		for (const mail of word.slice(0, web).matchAll(/[^@/:,;()]+(@[^@/:,;()]+)?/g)) if (mail[1]) found.push({
			start: index + mail.index,
			written: mail[0].slice(0, longestWritten),
			isWeb: false
		});
		if (web < word.length) found.push({
			start: index + web,
			written: word.slice(web, web + longestWritten),
			isWeb: true
		});
	}
	return found;
}
/** Returns where a web address begins in a word, also without scheme or slashes. */
function webStart(word) {
	const at = word.search(/:[\\/]{2}|\/\/|(?:https?|wss?|ftp):/i);
	if (at < 0) return word.length;
	if (word[at] !== ":") return at;
	const scheme = /[a-z][a-z\d+.-]{1,20}$/i.exec(word.slice(Math.max(0, at - 21), at));
	return scheme ? at - scheme[0].length : at + 1;
}
/** Returns the host of an address, in punycode (`xn--…`) if it is not ASCII; undefined if it has none. */
function hostOf(written) {
	const at = /[/\\]/.test(written) ? -1 : written.lastIndexOf("@");
	try {
		const url = new URL(at < 0 ? written : `http://${written.slice(at + 1)}`, "https://here.invalid");
		return /^(https?|wss?|ftp):$/.test(url.protocol) ? url.hostname : void 0;
	} catch {
		return;
	}
}
/** Returns true if the address shows its real host. A punycode name does not show what it looks like. */
function isWebPlain(written, host) {
	const [given = ""] = written.replace(/^(?:[^/:]*:)?\/{0,2}/, "").split(/[/?#]/);
	return isClear(written, host) && given.toLowerCase().replace(/:\d+$/, "") === host;
}
/** A mail name that begins with `www.` looks like a host. */
var isMailPlain = (written, host) => isClear(written, host) && !/^www\./i.test(written) && written.slice(written.lastIndexOf("@") + 1).toLowerCase() === host;
var isClear = (written, host) => !host.includes("xn--") && !written.includes("\\");
// ../packages/react/src/untrusted/piecesOf.ts
/** Splits foreign text into segments, so that everything deceptive is its own segment. Omits nothing. */
function piecesOf(text) {
	const pieces = [];
	let at = 0;
	for (const { end, host } of deceptiveAddresses(text)) {
		pieces.push(...visible(text.slice(at, end)), {
			type: "host",
			host
		});
		at = end;
	}
	return [...pieces, ...visible(text.slice(at))];
}
function visible(text) {
	const pieces = [];
	let at = 0;
	for (const { 0: found, index } of text.matchAll(hiddenCharacters())) {
		if (index > at) pieces.push({
			type: "text",
			text: text.slice(at, index)
		});
		pieces.push({
			type: "hidden",
			code: codeOf(found),
			name: nameOf(found)
		});
		at = index + found.length;
	}
	if (at < text.length) pieces.push({
		type: "text",
		text: text.slice(at)
	});
	return pieces;
}
/** Returns the segments as one string, for attributes and options: `a[U+202E]b`. */
var plainText = (text) => piecesOf(text).map(wordOf).join("");
function wordOf(piece) {
	switch (piece.type) {
		case "text": return piece.text;
		case "hidden": return `[${piece.code}]`;
		case "host": return ` [${piece.host}]`;
	}
}
/** Returns true if a text has invisible characters. */
var hasHidden = (text) => hiddenCharacters().test(text);
/** Returns a value as JSON to read and edit, with invisible characters as escapes. */
var plainJson = (value) => escapeHidden(JSON.stringify(value, null, 2) ?? "");
/**
* Matches characters that are invisible or change how other text looks: default-ignorable, format and control
* characters, lone surrogates, separators, blank glyphs, and stacked marks.
*/
var always = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\t\n])\p{Cc}|(?<=\p{M}{4})\p{M}+`;
/** Joiners and variation selectors that scripts and emoji need: they hide nothing. */
var harmless = [
	String.raw`(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})`,
	String.raw`(?<=[\p{Emoji}\p{Unified_Ideograph}])[\ufe0e\ufe0f]`,
	String.raw`(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])[\u200c\u200d](?=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])`,
	String.raw`\r(?=\n)`
];
/** Creates an expression that finds each of them. Create one per use, because it has a cursor. */
var hiddenCharacters = () => new RegExp(`(?!${harmless.join("|")})(?:${always})`, "gu");
/** Replaces each of them with a JSON escape. */
var escapeHidden = (text) => text.replace(hiddenCharacters(), (found) => Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""));
/** Returns the code point, or the number of stacked marks: U+202E, 12 marks. */
var codeOf = (found) => [...found].length > 1 ? `${[...found].length} marks` : `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
/** Returns the name of a well-known one. */
var nameOf = (found) => names$1[found] ?? "invisible character";
var names$1 = {
	"\0": "null",
	"\x1B": "escape",
	"­": "soft hyphen",
	"؜": "Arabic letter mark",
	"​": "zero width space",
	"‌": "zero width non-joiner",
	"‍": "zero width joiner",
	"‎": "left-to-right mark",
	"‏": "right-to-left mark",
	"‪": "left-to-right embedding",
	"‫": "right-to-left embedding",
	"‬": "end of a change of direction",
	"‭": "left-to-right override",
	"‮": "right-to-left override: what follows is shown backwards",
	"⁠": "word joiner",
	"⁦": "left-to-right isolate",
	"⁧": "right-to-left isolate",
	"⁨": "first strong isolate",
	"⁩": "end of an isolate",
	"⠀": "blank of Braille",
	"ㅤ": "filler of Hangul",
	"﻿": "zero width no-break space"
};
// ../packages/react/src/untrusted/UntrustedText.tsx
/**
* Shows text of a model, a tool or a file for a user's decision. Invisible or reordering characters appear as their
* code, misleading addresses show their host, and long text is cut until the user expands it. It never renders markup.
*/
function UntrustedText({ children: text, limit = 500 }) {
	const [isWhole, showWhole] = useState(false);
	const isCut = !isWhole && text.length > limit;
	return /* @__PURE__ */ jsxs("span", {
		"data-interleave": "untrusted",
		dir: "auto",
		children: [piecesOf(isCut ? `${startOf(text, limit)}…` : text).map((piece, index) => /* @__PURE__ */ jsx(PieceView, { piece }, index)), isCut && /* @__PURE__ */ jsxs(Fragment, { children: [" ", /* @__PURE__ */ jsxs("button", {
			type: "button",
			"data-interleave": "more",
			onClick: () => showWhole(true),
			children: [
				"Show all (",
				text.length.toLocaleString("en"),
				" characters)"
			]
		})] })]
	});
}
/** Cuts a text, but never within a surrogate pair. */
var startOf = (text, length) => text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
function PieceView({ piece }) {
	switch (piece.type) {
		case "text": return piece.text;
		case "hidden": return /* @__PURE__ */ jsx("span", {
			"data-interleave": "hidden",
			title: piece.name,
			children: piece.code
		});
		case "host": return /* @__PURE__ */ jsxs("span", {
			"data-interleave": "host",
			title: "The real host of the address before it",
			children: [
				" ",
				"leads to ",
				piece.host
			]
		});
	}
}
// ../packages/core/src/log/runEvents.ts
/**
* Creates a filter that removes the agent's thoughts from one stream of events: reasoning, the text of turns that call
* tools, and messages of steps to the model. Durable events keep their position and `seq`. If a turn may call tools,
* its text is held back until it is over.
*/
function hideReasoning({ mayCall }) {
	let text = [];
	return (event) => {
		if (event.type === "delta" && event.kind === "reasoning") return [];
		if (event.type === "delta" && event.kind === "text" && mayCall) {
			text.push(event);
			return [];
		}
		if (!isKept(event)) {
			if (event.type === "retrying" || event.type === "thinking") text = [];
			return [event];
		}
		if (event.type !== "thought") return [withoutWords(event)];
		const held = text;
		text = [];
		return isAnswer(event) ? [...held, withoutThoughts(event)] : [withoutThoughts(event)];
	};
}
/** Returns true for a turn without calls. A turn that was cut off might have called something. */
var isAnswer = (turn) => !turn.error && !turn.parts.some(isCall) && !awaitsProvider(turn);
var isCall = (part) => part.type === "tool-call" && !part.providerExecuted || part.type === "tool-approval-request";
/** Metadata goes too: some providers keep reasoning there. */
function withoutThoughts(event) {
	const { providerMetadata: _, ...turn } = event;
	const answers = isAnswer(event);
	const shown = turn.parts.filter(({ type }) => !isReasoning(type) && (answers || type !== "text"));
	return {
		...turn,
		parts: shown.map(plain$1)
	};
}
var isReasoning = (type) => type === "reasoning" || type === "reasoning-file";
function plain$1(part) {
	const { providerMetadata: _, ...rest } = part;
	return rest;
}
/** Removes text that steps store or send to the model, and summaries. They are thoughts too. */
function withoutWords(event) {
	switch (event.type) {
		case "said": return event.by === "agent" ? {
			...event,
			content: ""
		} : event;
		case "noted": return isThought(event.key) ? {
			...event,
			value: null
		} : event;
		case "drafted": return {
			...event,
			text: "",
			reasoning: ""
		};
		case "compacted": return {
			...event,
			messages: []
		};
		case "seeded": return {
			...event,
			messages: event.messages.map(withoutThoughtsOf)
		};
		default: return event;
	}
}
/** Returns true for notes with thoughts: side calls, a router's reasons, and logs of child runs. */
var isThought = (key) => key.startsWith("consult/") || key.startsWith("route/") || key.includes(">log/");
function withoutThoughtsOf(message) {
	if (message.role !== "assistant") return message;
	const calls = message.content.some((part) => part.type === "tool-call" && !part.providerExecuted);
	return {
		...message,
		content: message.content.filter(({ type }) => !isReasoning(type) && !(calls && type === "text"))
	};
}
// ../packages/react/src/effects.ts
/**
* Returns a ref to the latest render's value, for functions that are called later, including effects of children, which
* run before the parent's.
*/
function useLatest(value) {
	const latest = useRef(value);
	useInsertionEffect(() => {
		latest.current = value;
	});
	return latest;
}
/**
* An effect before the browser paints. A server paints nothing, and React 18 warns there of an effect that will not
* run.
*/
var useDrawEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
// ../packages/core/src/history/adviceOf.ts
/**
* Returns what to do about a failure, in a sentence or two; undefined if its message is sufficient. For pages and
* consoles that show why a run failed.
*
* @example
* if (signal.type === 'failed') console.error(signal.error.message, adviceOf(signal.error))
*/
function adviceOf({ code, message, status, retryable }) {
	const words = message.slice(0, 2e3);
	if (/API key (is missing|must be a string)/.test(words)) return keyMissing;
	if (/ setting (is missing|must be a string)/.test(words)) return settingMissing;
	if (/failed to parse url|invalid url/i.test(words)) return urlIncomplete;
	return byCode[code] ?? (status === void 0 ? void 0 : adviceForStatus(status)) ?? (isUnreachable(words) ? unreachable : void 0) ?? (retryable ? "Try again in a moment." : void 0);
}
var keyMissing = "Give the model an API key: pass `apiKey` to its provider, such as createOpenAI({ apiKey }). Everybody who opens a page can read a key in it, so in production let a server run the agent.";
var settingMissing = "Pass this setting to the model's provider.";
var urlIncomplete = "Give the provider a whole address as `baseURL`, such as \"https://example.com/v1\".";
var unreachable = "Check the network connection and the address of the model. From a page, also check that this service allows calls from pages (CORS); if it does not, let a server run the agent.";
/** Matches the errors of browsers, Node, Bun and the AI SDK for a request without a response. */
var isUnreachable = (message) => /failed to fetch|fetch failed|load failed|networkerror|cannot connect to api|unable to connect|econnrefused|enotfound/i.test(message);
function adviceForStatus(status) {
	if (status >= 500) return "The service has a problem. Try again in a moment.";
	return byStatus[status];
}
var byStatus = {
	400: "The service does not understand the request. Check the model's name and settings.",
	401: "Check the API key: the service does not accept it.",
	402: "Check the credit of the account: the service wants to be paid first.",
	403: "Check what the API key is allowed to use: the service refuses this model or this location.",
	404: "Check the name of the model and the address of its provider: the service does not know what was asked for.",
	413: "The conversation is too long for the service. Start a new one, or use compact().",
	429: "Too many requests, or the credit is used up. Wait a moment and try again, or check the limits of the account."
};
var byCode = {
	context_full: "The conversation is too long for the model. Start a new one, or use compact().",
	journal_conflict: "The run was resumed elsewhere, such as in another tab. Continue there, or try again to continue here.",
	journal_full: "Free some storage, such as by deleting old runs, and try again.",
	model_idle: "The model stopped sending. Try again in a moment.",
	model_timeout: "The model took too long. Try again in a moment.",
	remote_failed: "Check the network connection and the address of the server."
};
// ../packages/core/src/history/chatMessage.ts
/** Returns the text of a turn, if there is any. */
function textMessages(turn) {
	const { iteration, at, parts, model, ms, error } = turn;
	const [text, reasoning] = [joined({ parts }, "text"), joined({ parts }, "reasoning")];
	if (!text.trim() && !reasoning.trim()) return [];
	return [{
		type: "text",
		key: textKey(iteration),
		at,
		text,
		reasoning,
		isStreaming: false,
		isAnswer: false,
		model,
		ms,
		...error && { error }
	}];
}
/** The same while it streams and afterwards. */
var textKey = (iteration) => `${iteration}/text`;
/** The words of a message. */
var textOf$1 = (content) => typeof content === "string" ? content : content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
/** Returns the messages of an earlier conversation. */
var seededMessages = ({ seq, messages }) => messages.flatMap((message, index) => {
	const place = {
		key: `seeded/${seq}/${index}`,
		at: 0
	};
	if (message.role === "user") {
		const text = textOf$1(message.content);
		return [{
			type: "user",
			...place,
			seq,
			content: message.content,
			text,
			isHeard: true,
			state: "sent"
		}];
	}
	if (message.role !== "assistant") return [];
	const text = message.content.flatMap((part) => part.type === "text" ? [part.text] : []).join("");
	return text.trim() ? [{
		type: "text",
		...place,
		text,
		reasoning: "",
		isStreaming: false,
		isAnswer: false
	}] : [];
});
/** The messages of the user that no turn has consumed, newest first, each with its index. */
function* pendingOf(messages) {
	for (let index = messages.length - 1; index >= 0; index--) {
		const message = messages[index];
		if (message?.type !== "user") continue;
		if (message.isHeard) return;
		yield [index, message];
	}
}
/** Returns where the first pending message is that comes after a turn, or else where the list ends. */
function placeBefore(messages, isLater) {
	let place = messages.length;
	for (const [index, message] of pendingOf(messages)) {
		if (!isLater(message)) return place;
		place = index;
	}
	return place;
}
var consumedOf = /* @__PURE__ */ new WeakMap();
/** A message that is in the prompt of a turn: the same object while the turn streams and afterwards. */
var consumed = (message) => cached(consumedOf, message, () => ({
	...message,
	isHeard: true
}));
/** Generates events that reproduce a state without its log. A state has only open questions, and no earlier signals. */
function* stateEvents(state) {
	let before;
	for (const page of [...state.history, state.pending]) for (const entry of page) {
		if (before && isAnswered(before, entry)) yield answerEvent(before);
		yield* entryEvents(entry);
		before = entry;
	}
	const { iteration, updatedAt: at, asks, rest, seq } = state;
	for (const ask of asks) yield {
		type: "asked",
		ask,
		seq: -1,
		at,
		iteration
	};
	if (rest) yield {
		type: "rested",
		signal: rest,
		seq: seq - 1,
		at,
		iteration
	};
}
/** Returns true if a user message follows a finished turn, so that it is a new request. */
var isAnswered = (before, next) => before.type === "turn" && !before.error && (before.calls.length === 0 || before.calls.some(({ final }) => final)) && next.type === "said" && next.by === "user" && next.at >= before.at;
function answerEvent(turn) {
	const { at, iteration } = turn;
	return {
		type: "rested",
		signal: {
			type: "answer",
			output: turn.calls.find(({ final }) => final)?.output ?? joined(turn, "text"),
			reason: "completed"
		},
		seq: -1 - iteration,
		at,
		iteration
	};
}
function* entryEvents(entry) {
	const { at } = entry;
	const place = {
		seq: -1,
		at,
		iteration: 0
	};
	if (entry.type === "said") yield {
		...place,
		...entry
	};
	else if (entry.type === "messages") yield {
		...place,
		seq: 1,
		type: "seeded",
		messages: entry.messages
	};
	else {
		const { calls, ...turn } = entry;
		const { iteration } = turn;
		yield {
			...turn,
			type: "thought",
			seq: -1,
			heard: Number.POSITIVE_INFINITY
		};
		for (const call of calls) for (const event of callEvents(call)) yield {
			...event,
			seq: -1,
			at: call.observedAt ?? at,
			iteration
		};
	}
}
function* callEvents(call) {
	const { key, name, input, calledAt, questions, allowed, result, output, error, ms = 0 } = call;
	yield {
		type: "amended",
		of: key,
		input,
		reason: ""
	};
	if (allowed !== void 0) yield {
		type: "allowed",
		ask: {
			id: allowed,
			kind: "approval",
			prompt: "",
			tool: name,
			input,
			schema: {},
			call: key
		},
		by: allowed
	};
	if (calledAt !== void 0 || questions) yield {
		type: "called",
		call: key
	};
	if (!result) return;
	yield {
		type: "observed",
		call: key,
		result,
		ms,
		...output !== void 0 && { output },
		...error && { error }
	};
}
// ../packages/core/src/history/addToChat.ts
var emptyChat = () => ({
	messages: [],
	rest: void 0,
	isBegun: false,
	draftedAt: void 0
});
function addToChat(chat, event) {
	const { messages } = chat;
	switch (event.type) {
		case "seeded":
			messages.push(...seededMessages(event));
			break;
		case "said":
			say(chat, event);
			break;
		case "drafted":
			chat.draftedAt ??= event.seq;
			break;
		case "thought":
			think(chat, event);
			break;
		case "called": {
			const { call, input } = event;
			changeCall(messages, call, {
				state: "working",
				...input !== void 0 && { input }
			});
			break;
		}
		case "observed":
			observe(messages, event);
			break;
		case "amended":
			amend(messages, event);
			break;
		case "asked":
			ask(messages, event);
			break;
		case "replied":
			reply(messages, event);
			break;
		case "withdrawn":
			close(messages, ({ ask }) => ask.id === event.ask);
			break;
		case "allowed": {
			const { ask, by } = event;
			if (ask.call && !ask.from) changeCall(messages, ask.call, { allowed: by });
			break;
		}
		case "rested": rest(messages, event);
	}
	chat.rest = restAfter(chat.rest, event);
}
/** As the state has it. */
function restAfter(rest, event) {
	switch (event.type) {
		case "rested": return event.signal.type;
		case "resumed":
		case "replied":
		case "allowed":
		case "withdrawn":
		case "observed": return;
		case "said": return event.by === "user" && event.content !== "" && rest !== "inputNeeded" ? void 0 : rest;
		default: return rest;
	}
}
/** A new request needs no more of the limit that ended the one before. */
function say(chat, { by, seq, at, content, isSending, replaces }) {
	if (by !== "user") return;
	const { messages, rest } = chat;
	if (replaces !== void 0) {
		const index = messages.findLastIndex((message) => message.type === "user" && message.seq === replaces);
		if (index >= 0) messages.splice(index, 1);
		if (content === "") return;
	}
	const begins = rest ? rest !== "inputNeeded" : !chat.isBegun;
	chat.isBegun = true;
	if (begins) close(messages, ({ ask }) => isOwnLimit(ask));
	messages.push({
		type: "user",
		key: `said/${seq}`,
		at,
		seq,
		content,
		text: textOf$1(content),
		isHeard: false,
		state: isSending ? "sending" : "sent"
	});
}
/** A turn comes before what the user said while it streamed: the answer to that is a later turn. */
function think(chat, turn) {
	const { messages, draftedAt = Number.POSITIVE_INFINITY } = chat;
	chat.draftedAt = void 0;
	const { heard, at, ms } = turn;
	for (const [index, message] of pendingOf(messages)) if (message.seq < heard) messages[index] = consumed(message);
	const isLater = (message) => heard > 0 || message.seq > draftedAt || message.at > at - ms;
	const place = placeBefore(messages, isLater);
	messages.splice(place, 0, ...textMessages(turn), ...callMessages(turn), ...providerCalls(turn));
	readProviderResults(messages, turn);
}
/** Returns the calls of a turn; none of one that was cut off. An input counts as checked once its tool is called, or asks. */
function callMessages(turn) {
	if (turn.error) return [];
	const { at, iteration } = turn;
	return callsOf$1(turn, iteration).map(({ key, name, input }) => ({
		type: "call",
		key,
		at,
		tool: name,
		state: "writing",
		input
	}));
}
function observe(messages, event) {
	const { seq, call, result, output, ms } = event;
	const error = isLost(messages, call) ? outputLost : event.error;
	const isRefused = result.type === "execution-denied";
	changeCall(messages, call, {
		state: isRefused ? "refused" : error ? "failed" : "done",
		output: output ?? toldOf(result),
		ms,
		...seq !== -1 && { seq },
		...isRefused ? { error: error ?? refused(toldOf(result)) } : error && { error }
	});
	close(messages, ({ ask }) => ask.call === call);
}
/** Returns true if an interrupted call had run, as a user says: what it gave is not known. */
var isLost = (messages, call) => messages.some((message) => message.type === "question" && message.ask.id === doubtOf(call) && message.reply === "done");
var outputLost = {
	code: "tool_interrupted",
	message: "It already ran, as the user confirms. The output is lost.",
	retryable: false
};
var refused = (reason) => ({
	code: "tool_refused",
	message: typeof reason === "string" && reason ? reason : "Refused.",
	retryable: false
});
var toldOf = (result) => result.type === "execution-denied" ? result.reason ?? "" : result.value;
/** Applies an amendment: the original content must not be shown. */
function amend(messages, { of, input, result, output }) {
	if (typeof of !== "string") return;
	changeCall(messages, of, {
		...input !== void 0 && { input },
		...result && { output: output ?? toldOf(result) }
	});
}
function changeCall(messages, key, change) {
	const index = messages.findLastIndex((message) => message.type === "call" && message.key === key);
	const call = messages[index];
	if (call?.type === "call") messages[index] = {
		...call,
		...change
	};
}
function ask(messages, { seq, at, ask }) {
	if (ask.call) changeCall(messages, ask.call, { state: "waiting" });
	const key = `asked/${ask.id}`;
	const isKnown = messages.some((message) => message.key === key);
	messages.push({
		type: "question",
		key: isKnown ? `asked/${seq}` : key,
		at,
		ask,
		isOpen: true
	});
}
function reply(messages, { seq, ask: id, value }) {
	const index = messages.findLastIndex((message) => message.type === "question" && message.ask.id === id);
	const question = messages[index];
	if (question?.type !== "question") return;
	messages[index] = {
		...question,
		isOpen: false,
		reply: value,
		seq
	};
	const { call } = question.ask;
	if (call && !messages.some((other) => other.type === "question" && other.isOpen && other.ask.call === call)) changeCall(messages, call, { state: "working" });
}
function close(messages, isOver) {
	for (const [index, message] of messages.entries()) if (message.type === "question" && message.isOpen && isOver(message)) messages[index] = {
		...message,
		isOpen: false
	};
}
function rest(messages, { seq, at, signal }) {
	const key = `rested/${seq}`;
	if (signal.type === "answer") {
		close(messages, ({ ask }) => isOwnLimit(ask));
		markAnswer(messages, {
			key,
			at,
			output: signal.output
		});
	}
	if (signal.type === "stopped") close(messages, () => true);
	if (signal.type === "stopped" || signal.type === "failed") messages.push({
		type: "rest",
		key,
		at,
		signal,
		...signal.type === "failed" && { error: signal.error }
	});
}
/** An answer that no model wrote as text, as of the last node of a graph or of a tool, is a message of its own. */
function markAnswer(messages, { key, at, output }) {
	const index = messages.findLastIndex(({ type }) => type === "text" || type === "user");
	const text = messages[index];
	const answer = typeof output === "string" ? output : JSON.stringify(output, void 0, 2) ?? "";
	if (text?.type === "text" && (typeof output !== "string" || text.text.trim() === output.trim())) messages[index] = {
		...text,
		isAnswer: true
	};
	else if (answer.trim()) messages.push({
		type: "text",
		key,
		at,
		text: answer,
		reasoning: "",
		isStreaming: false,
		isAnswer: true
	});
}
/** Calls that the provider runs itself, without asking whether it may. */
function providerCalls({ at, iteration, parts, error }) {
	if (error) return [];
	const asked = new Set(parts.flatMap((part) => part.type === "tool-approval-request" ? [part.toolCallId] : []));
	return parts.filter((part) => part.type === "tool-call").filter((part) => part.providerExecuted).filter(({ toolCallId }) => !asked.has(toolCallId)).map(({ toolCallId, toolName, input }) => ({
		type: "call",
		key: `${iteration}/provider/${toolCallId}`,
		at,
		tool: toolName,
		state: "working",
		input
	}));
}
/** Their results come in the same turn, or in a later one. */
function readProviderResults(messages, { parts }) {
	for (const part of parts) if (part.type === "tool-result") finish(messages, part);
}
function finish(messages, { toolCallId, result, isError }) {
	const index = messages.findLastIndex((message) => message.type === "call" && message.key.endsWith(`/provider/${toolCallId}`));
	const call = messages[index];
	if (call?.type !== "call") return;
	const error = {
		code: "tool_failed",
		message: messageOf(result),
		retryable: false
	};
	messages[index] = {
		...call,
		state: isError ? "failed" : "done",
		output: result,
		...isError && { error }
	};
}
// ../packages/core/src/history/partialJson.ts
/** The longest beginning that is read, in characters, since each delta reads it again. */
var mostRead = 65536;
var deepest$1 = 30;
/**
* Returns the value of a JSON text that still streams, as far as it has arrived; undefined if there is none yet, or if the
* text is not JSON. A string may be incomplete. A number, a name and a literal appear once they are complete.
*/
function partialJson(text) {
	const closed = closedJson(text.slice(0, mostRead));
	if (closed === void 0) return void 0;
	try {
		return parseJson(closed, { maxLength: 2 * mostRead });
	} catch {
		return;
	}
}
/** Returns the longest beginning that can be completed, completed. */
function closedJson(text) {
	let closers = "";
	let cut;
	/** The place of a name: after `{`, or after `,` inside of one. */
	let awaitsName = false;
	for (let at = 0; at < text.length; at++) {
		const char = text[at];
		if (char === "\"") {
			const end = endOfString(text, at);
			const isName = awaitsName && closers[0] === "}";
			if (end < 0) return isName || !mayBegin(cut, closers) ? closedAt(text, cut) : openString(text, at, closers);
			at = end;
			if (!isName) cut = {
				at: at + 1,
				closers
			};
			awaitsName = false;
		} else if (char === "{" || char === "[") {
			if (closers.length >= deepest$1) break;
			closers = (char === "{" ? "}" : "]") + closers;
			awaitsName = char === "{";
			cut = {
				at: at + 1,
				closers
			};
		} else if (char === "}" || char === "]") {
			closers = closers.slice(1);
			awaitsName = false;
			cut = {
				at: at + 1,
				closers
			};
		} else if (char === ",") {
			cut = {
				at,
				closers
			};
			awaitsName = closers[0] === "}";
		}
	}
	return closedAt(text, cut);
}
/** Text outside of an object or a list is no streamed JSON, unless it is the whole value. */
var mayBegin = (cut, closers) => cut === void 0 || closers !== "";
var closedAt = (text, cut) => cut && text.slice(0, cut.at) + cut.closers;
/** Returns the index of the closing quote; -1 if it has not arrived. */
function endOfString(text, start) {
	for (let at = start + 1; at < text.length; at++) if (text[at] === "\\") at++;
	else if (text[at] === "\"") return at;
	return -1;
}
/** Completes a string value, without an escape sequence that has arrived in part. */
function openString(text, start, closers) {
	let end = start + 1;
	while (end < text.length) {
		const width = text[end] !== "\\" ? 1 : text[end + 1] === "u" ? 6 : 2;
		if (end + width > text.length) break;
		end += width;
	}
	return `${text.slice(0, end)}"${closers}`;
}
// ../packages/core/src/history/partialOutput.ts
/** The tools that carry an answer, if the agent itself is elsewhere. */
var usualNames = ["final_answer", "answer_with_confidence"];
/**
* Returns the part of a typed answer that has arrived, until the run settles; undefined before, and for answers that are
* plain text. Nothing of it is checked yet. The same value for the same state.
*
* @example
* run.subscribe((_, state) => show(partialOutput(state, guide)))
*/
function partialOutput(state, agent) {
	if (state.rest) return void 0;
	const local = agent && "tools" in agent ? agent : void 0;
	const carries = (tool) => local ? local.tools[tool]?.terminal === true : usualNames.includes(tool);
	const streamed = Object.values(state.draft?.inputs ?? {}).find(({ tool }) => carries(tool));
	return answerIn(streamed ? streamedInput(streamed) : openCalls(state).find(({ name }) => carries(name))?.input, local?.output?.json);
}
/** The answer is in a field, unless the type of the answer is that of an object. */
function answerIn(given, schema) {
	if (!isObject(given) || !("answer" in given)) return given;
	const { properties } = schema ?? {};
	return properties && Object.hasOwn(properties, "answer") ? given : given.answer;
}
/** Each delta makes a new object of the input that it belongs to. */
var readInputs = /* @__PURE__ */ new WeakMap();
/** Returns the part of a streaming input that has arrived. */
var streamedInput = (input) => cached(readInputs, input, () => ({ value: partialJson(input.text) })).value;
// ../packages/core/src/history/messagesOf.ts
function messagesOf(of, state) {
	if (isLog(of)) return settled(of, of.length);
	if (!isRun(of)) return withStreaming(readState(of).messages, of);
	const shown = state ?? of.state;
	const { log: events, base } = of;
	return withStreaming(settled(events, shown.seq - (base?.seq ?? events[0]?.seq ?? 0), base), shown);
}
var isLog = (of) => Array.isArray(of);
function withStreaming(messages, { draft, exposeReasoning }) {
	if (!draft) return messages;
	const known = drawn.get(draft);
	if (known?.messages === messages) return known.all;
	const all = withDraft(messages, draft, exposeReasoning === false);
	drawn.set(draft, {
		messages,
		all
	});
	return all;
}
/** The furthest position that was read, and one for readers that look back from there. */
var readings = /* @__PURE__ */ new WeakMap();
var drawn = /* @__PURE__ */ new WeakMap();
var none$1 = [];
function settled(events, count, base) {
	const [first] = events;
	const last = events[count - 1];
	if (!first || !last) return base ? readState(base).messages : none$1;
	const known = (readings.get(first) ?? []).filter(({ count: read, last: end }) => read > events.length || events[read - 1] === end);
	const before = known.filter(({ count: read }) => read <= count).toSorted((a, b) => b.count - a.count)[0];
	if (before?.count === count) return before.messages;
	const reading = readOn(before ?? begin(first, base), events.slice(before?.count ?? 0, count));
	const furthest = known.find(({ count: read }) => read > count);
	readings.set(first, furthest ? [furthest, reading] : [reading]);
	return reading.messages;
}
var begin = (first, base) => ({
	...base ? readState(base) : {
		chat: emptyChat(),
		messages: none$1
	},
	isHidden: base ? isHiddenIn(base) : first.type === "started" && isHiddenIn(first),
	last: first,
	count: 0
});
var isHiddenIn = ({ exposeReasoning }) => exposeReasoning === false;
var ofStates = /* @__PURE__ */ new WeakMap();
var readState = (state) => cached(ofStates, state, () => {
	const chat = emptyChat();
	addAll(chat, stateEvents(state), isHiddenIn(state));
	return {
		chat,
		messages: chat.messages
	};
});
function addAll(chat, events, isHidden) {
	const shown = isHidden ? hideReasoning({ mayCall: true }) : void 0;
	for (const event of events) addToChat(chat, shown ? shown(event).at(-1) : event);
}
function readOn({ chat: before, isHidden, ...reading }, events) {
	const chat = {
		...before,
		messages: [...before.messages]
	};
	addAll(chat, events, isHidden);
	const old = reading.messages;
	const isSame = old.length === chat.messages.length && old.every((message, index) => message === chat.messages[index]);
	return {
		chat,
		isHidden,
		last: events.at(-1) ?? reading.last,
		count: reading.count + events.length,
		messages: isSame ? old : chat.messages
	};
}
/**
* Adds streaming content to a chat: the turn, before user messages sent meanwhile, and preliminary output of running
* tools. Messages that the turn answers count as received.
*/
function withDraft(messages, draft, isHidden) {
	const { heard = 0 } = draft;
	const all = messages.map((message) => withProgress(message, draft));
	for (const [index, message] of pendingOf(messages)) if (message.seq < heard) all[index] = consumed(message);
	const place = heard > 0 ? placeBefore(all, ({ seq }) => seq >= heard) : all.length;
	return all.toSpliced(place, 0, ...textOf(draft, isHidden), ...callsOf(draft));
}
function withProgress(message, { progress }) {
	if (message.type !== "call" || message.state !== "working" || !Object.hasOwn(progress, message.key)) return message;
	const told = progress[message.key];
	return told === void 0 ? message : {
		...message,
		progress: told
	};
}
/** Returns the visible text of a draft. If thoughts are hidden, unfinished text may be one, so it is not shown. */
function textOf({ iteration, text, reasoning }, isHidden) {
	if (isHidden || !text.trim() && !reasoning.trim()) return [];
	return [{
		type: "text",
		key: textKey(iteration),
		at: 0,
		text,
		reasoning,
		isStreaming: true,
		isAnswer: false
	}];
}
/** Each will have the key that it has now. */
var callsOf = ({ iteration, inputs }) => Object.values(inputs).map((input, index) => ({
	type: "call",
	key: `${iteration}/tool/${index}`,
	at: 0,
	tool: input.tool,
	state: "writing",
	input: streamedInput(input),
	inputText: input.text
}));
// ../packages/core/src/history/recorder.ts
/**
* Returns a read-only run that shows a state without its log, for `messagesOf`, hooks and components. `say`, `reply`
* and `stop` reject, and `resume` throws.
*/
var stillRun = (state) => new StillRun(state, [], { base: state });
/** A run at one position. */
var StillRun = class {
	id;
	state;
	log;
	settled;
	isStill = true;
	base;
	isOfFile;
	constructor(state, log, { base, isOfFile = false } = {}) {
		this.id = state.runId;
		this.state = state;
		this.log = log;
		this.settled = state.rest ? Promise.resolve(state.rest) : new Promise(() => {});
		this.base = base;
		this.isOfFile = isOfFile;
	}
	subscribe() {
		return () => {};
	}
	async say() {
		throw isPast();
	}
	async reply() {
		throw isPast();
	}
	async disallow() {
		throw isPast();
	}
	async stop() {
		throw isPast();
	}
	resume() {
		throw isPast();
	}
};
var isPast = () => new AgentError("options_invalid", "This run is shown as it was and cannot change. Continue from here with fork(agent, run).");
// ../node_modules/.pnpm/zustand@5.1.0_@types+react@19.3.0_react@19.3.1_use-sync-external-store@1.7.0_react@19.3.1_/node_modules/zustand/esm/vanilla.mjs
var createStoreImpl = (createState) => {
	let state;
	const listeners = /* @__PURE__ */ new Set();
	const setState = (partial, replace) => {
		const nextState = typeof partial === "function" ? partial(state) : partial;
		if (!Object.is(nextState, state)) {
			const previousState = state;
			state = (replace != null ? replace : typeof nextState !== "object" || nextState === null) ? nextState : Object.assign({}, state, nextState);
			listeners.forEach((listener) => listener(state, previousState));
		}
	};
	const getState = () => state;
	const getInitialState = () => initialState;
	const subscribe = (listener) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
	const api = {
		setState,
		getState,
		getInitialState,
		subscribe
	};
	const initialState = state = createState(setState, getState, api);
	return api;
};
var createStore = ((createState) => createState ? createStoreImpl(createState) : createStoreImpl);
// ../packages/react/src/frames.ts
var hiddenMs = 100;
/** Updates that are due in any run of this page. They are delivered together, so React renders once. */
var due = /* @__PURE__ */ new Set();
var stopWaiting;
/**
* Calls back at the next animation frame. A hidden page has none, so a timer takes over, also if the page is hidden
* meanwhile.
*/
var nextFrame = (callback) => {
	const entry = { callback };
	due.add(entry);
	stopWaiting ??= awaitFrame(deliver);
	return () => {
		due.delete(entry);
		if (due.size > 0) return;
		stopWaiting?.();
		stopWaiting = void 0;
	};
};
function deliver() {
	stopWaiting = void 0;
	for (const entry of [...due]) if (due.delete(entry)) guarded(entry.callback);
}
function awaitFrame(callback) {
	const hasFrames = typeof requestAnimationFrame === "function";
	const cancel = () => {
		if (hasFrames) cancelAnimationFrame(request);
		clearTimeout(timer);
	};
	const fire = () => {
		cancel();
		callback();
	};
	const tick = () => {
		if (hasFrames && !isHidden()) timer = setTimeout(tick, hiddenMs);
		else fire();
	};
	let timer = setTimeout(tick, hiddenMs);
	const request = hasFrames ? requestAnimationFrame(fire) : 0;
	return cancel;
}
var isHidden = () => typeof document === "object" && document.visibilityState === "hidden";
/** Calls back. Reports an exception to the global error handler, so that it does not prevent other work. */
function guarded(callback) {
	try {
		callback();
	} catch (error) {
		queueMicrotask(() => {
			throw error;
		});
	}
}
// ../packages/react/src/RunStore.ts
/** The state of no run: everything in it is empty. */
var emptyState = /* @__PURE__ */ fold([]);
var immediate = /* @__PURE__ */ new Set([
	"asked",
	"replied",
	"withdrawn",
	"rested"
]);
/**
* A run as every hook reads it. It has the interface of a read-only zustand store, so `useStore` of zustand and other
* bindings accept it.
*/
var RunStore = class {
	#run;
	#frame;
	/** The latest published state. A change of owner or link publishes the same state again. */
	#published;
	#subscribers = 0;
	/** Hydration must find what the server rendered, even if the run has progressed. */
	#initial;
	#isScheduled = false;
	#cancelFrame;
	#unsubscribe;
	constructor(run, frame) {
		this.#run = run;
		this.#frame = frame;
		this.#published = createStore(() => ({ state: this.#current }));
		this.#initial = typeof document === "undefined" ? void 0 : this.#current;
	}
	/** The state as of the latest notification, so that all readers between two frames see the same one. */
	get state() {
		return this.#subscribers > 0 ? this.#published.getState().state : this.#current;
	}
	/** The state to hydrate with. */
	get initialState() {
		return this.#initial ?? this.#current;
	}
	/** Where the run executes; undefined without a run. */
	get owner() {
		return this.#run && (this.#run.owner ?? "here");
	}
	/** The connection to the run's server; undefined for a run without one. */
	get link() {
		return this.#run?.link;
	}
	getState = () => this.state;
	getInitialState = () => this.initialState;
	subscribe = (listener) => {
		if (this.#subscribers++ === 0) this.#attach();
		const end = this.#published.subscribe(({ state }, previous) => guarded(() => listener(state, previous.state)));
		let isSubscribed = true;
		return () => {
			if (!isSubscribed) return;
			isSubscribed = false;
			end();
			if (--this.#subscribers === 0) this.#detach();
		};
	};
	get #current() {
		return this.#run?.state ?? emptyState;
	}
	#attach() {
		this.#published.setState({ state: this.#current });
		this.#unsubscribe = this.#run?.subscribe(({ type }) => {
			if (immediate.has(type)) this.#publish();
			else if (type === "owned" || type === "linked") this.#published.setState({ state: this.state });
			else this.#schedule();
		});
	}
	#schedule() {
		if (this.#isScheduled) return;
		this.#isScheduled = true;
		this.#cancelFrame = this.#frame(() => this.#publish());
	}
	#detach() {
		this.#unsubscribe?.();
		this.#cancel();
	}
	#publish() {
		this.#cancel();
		if (this.state !== this.#current) this.#published.setState({ state: this.#current });
	}
	#cancel() {
		this.#isScheduled = false;
		this.#cancelFrame?.();
	}
};
var stores = /* @__PURE__ */ new WeakMap();
var noStore;
/**
* Returns the store of a run, always the same one. It notifies subscribers at most once per frame, and immediately when
* the run asks, receives a reply or settles. It listens to the run only while it has subscribers.
*/
function createRunStore(run, { frame = nextFrame } = {}) {
	const known = stores.get(run);
	if (known) return known;
	const store = new RunStore(run, frame);
	stores.set(run, store);
	return store;
}
/** Returns the store of a run, or an empty one without a run. */
function storeOf(run) {
	if (run) return createRunStore(run);
	noStore ??= new RunStore(void 0, nextFrame);
	return noStore;
}
// ../packages/react/src/useRun.ts
/**
* Returns a selection of a run's state, and renders when it changes, at most once per frame. Without a run the selector
* receives an empty state.
*
* `selector` must return the same value for the same state, or the component renders forever. If it creates objects, pass
* `isEqual`: while that returns true, the previous value stays.
*
* @example
* const title = useRun(run, (state) => state.title)
*/
var useRun = (run, selector, isEqual = Object.is) => useSelected(storeOf(run), {
	selector,
	isEqual
});
/** Returns a selection of a store, the previous value if the new one is equal. */
function useSelected(store, { selector, isEqual }) {
	const drawn = useRef(void 0);
	const [get, getInitial] = useMemo(() => {
		let latest;
		const select = (state) => {
			if (latest?.state === state) return latest.value;
			const value = selector(state);
			const before = latest ?? drawn.current;
			latest = {
				state,
				value: before && isEqual(before.value, value) ? before.value : value
			};
			return latest.value;
		};
		return [() => select(store.state), () => select(store.initialState)];
	}, [
		store,
		selector,
		isEqual
	]);
	const value = useSyncExternalStore(store.subscribe, get, getInitial);
	useEffect(() => {
		drawn.current = { value };
	}, [value]);
	return value;
}
// ../packages/react/src/selections.ts
/**
* Returns the chat messages of a run, oldest first: user messages, texts including the streaming one, tool calls,
* questions and their answers. A finished message keeps its identity, so a memoised component renders only while its
* message grows. A run of a typed agent gives calls with the types of its tools.
*
* @example
* const messages = useMessages(run)
* return messages.map((message) => <Message key={message.key} message={message} />)
*/
function useMessages(run) {
	return useRun(run, useCallback((state) => run ? messagesOf(run, state) : noMessages, [run]));
}
var noMessages = [];
var perTotal = /* @__PURE__ */ new WeakMap();
function usageOf$1(state) {
	const { usage: total } = state;
	const known = perTotal.get(total);
	if (known) return known;
	const usage = {
		total,
		iterations: scratchpad(state).flatMap((entry) => entry.type === "thought" ? [{
			iteration: entry.iteration,
			usage: entry.usage,
			ms: entry.ms
		}] : [])
	};
	perTotal.set(total, usage);
	return usage;
}
var idle = { status: "idle" };
var working = { status: "working" };
var perSignal = /* @__PURE__ */ new WeakMap();
function statusOf({ seq, rest }) {
	if (!rest) return seq === 0 ? idle : working;
	const known = perSignal.get(rest);
	if (known) return known;
	const status = rest.type === "inputNeeded" || rest.type === "limitReached" ? {
		status: "waiting",
		signal: rest
	} : {
		status: "resting",
		signal: rest
	};
	perSignal.set(rest, status);
	return status;
}
/**
* Returns the signal of a paused or finished run, or undefined while it runs. With a type, only a signal of that type.
*
* @example
* const failed = useSignal(run, 'failed')
* if (failed) return <p role="alert">{failed.error.message}</p>
*/
function useSignal(run, type) {
	return useRun(run, useCallback(({ rest }) => type === void 0 || rest?.type === type ? rest : void 0, [type]));
}
/** Returns the open questions of a run, oldest first. */
var useAsks = (run) => useRun(run, asksOf);
var asksOf = (state) => state.asks;
/** Returns the permissions that a run has, oldest first. */
var allowedOf = ({ allowed = none }) => allowed;
var none = [];
var draftOf = (state) => state.draft;
// ../packages/react/src/outlet/fieldSchema.ts
var isData = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/**
* Resolves the references of a JSON Schema to itself, and merges `allOf`. A recursive schema is followed a few levels, and
* is edited as JSON below. So is one with too many members for a form, since nested references multiply.
*/
var plainSchema = (schema) => plain(schema, {
	root: schema,
	depth: 0,
	count: { left: 1e3 }
});
function plain(given, { root, depth, count }) {
	if (!isData(given) || depth > 8 || count.left-- <= 0) return {};
	const below = {
		root,
		depth: depth + 1,
		count
	};
	const { $ref, allOf, ...own } = given;
	const merged = [...typeof $ref === "string" ? [target(root, $ref)] : [], ...Array.isArray(allOf) ? allOf : []].map((part) => ({ ...plain(part, below) })).reduce(merge, {});
	return {
		...merge(merged, own),
		...isData(own.properties) && { properties: {
			...merged.properties,
			...mapValues(own.properties, (member) => plain(member, below))
		} },
		...own.items !== void 0 && { items: Array.isArray(own.items) ? {} : plain(own.items, below) },
		...Array.isArray(own.anyOf) && { anyOf: own.anyOf.map((branch) => plain(branch, below)) },
		...Array.isArray(own.oneOf) && { oneOf: own.oneOf.map((branch) => plain(branch, below)) }
	};
}
var mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
function merge(one, other) {
	const both = (key) => isData(one[key]) && isData(other[key]);
	const required = [one.required, other.required].flatMap((names) => Array.isArray(names) ? names : []);
	return {
		...one,
		...other,
		...both("properties") && { properties: {
			...Object(one.properties),
			...Object(other.properties)
		} },
		...required.length > 0 && { required }
	};
}
/** Returns the target of a reference within the schema. */
function target(root, ref) {
	if (!ref.startsWith("#")) return {};
	return ref.slice(1).split("/").filter(Boolean).reduce((at, key) => {
		const name = decoded(key).replaceAll("~1", "/").replaceAll("~0", "~");
		return isData(at) && Object.hasOwn(at, name) ? at[name] : void 0;
	}, root);
}
/** Decodes percent escapes; an invalid one stays as it is. */
function decoded(key) {
	try {
		return decodeURIComponent(key);
	} catch {
		return key;
	}
}
/** Removes null from a schema, since an empty field means null. */
function withoutNull(schema) {
	if (Array.isArray(schema.type) && schema.type.includes("null") && schema.type.length === 2) return {
		schema: {
			...schema,
			type: schema.type.find((type) => type !== "null")
		},
		isNullable: true
	};
	const key = schema.anyOf ? "anyOf" : "oneOf";
	const branches = schema[key] ?? [];
	const others = branches.filter(({ type }) => type !== "null");
	if (others.length === branches.length) return {
		schema,
		isNullable: false
	};
	const { [key]: _, ...rest } = schema;
	return {
		schema: {
			...rest,
			...others.length === 1 ? others[0] : { [key]: others }
		},
		isNullable: true
	};
}
// ../packages/react/src/outlet/fieldKind.ts
/** Returns the kind of input for a schema. Complex ones are edited as JSON. */
function fieldKind(schema) {
	if (optionsOf(schema).length > 0) return "choice";
	switch (schema.type) {
		case "object": return schema.properties ? "group" : "json";
		case "array": return kindOfArray(schema);
		case "boolean": return "boolean";
		case "number":
		case "integer": return "number";
		case "string": return kindOfText(schema);
		default: return "json";
	}
}
function kindOfArray(schema) {
	const items = itemsOf(schema);
	if (optionsOf(items).length > 0 && schema.uniqueItems !== false) return "choices";
	return items.type === void 0 && !items.properties ? "json" : "list";
}
function kindOfText({ contentMediaType, contentEncoding, format, maxLength, default: preset }) {
	if (contentMediaType || contentEncoding || format === "binary" || format === "data-url") return "file";
	const isLong = maxLength !== void 0 && maxLength > 200 || typeof preset === "string" && /\n|.{80}/.test(preset);
	return format === "textarea" || isLong && !format ? "lines" : "text";
}
/** Returns the options of an enumeration; empty for other schemas. */
function optionsOf({ enum: values, const: only, oneOf, anyOf }) {
	if (values) return values.map((value) => ({
		value,
		label: wordsOf(value)
	}));
	if (only !== void 0) return [{
		value: only,
		label: wordsOf(only)
	}];
	const named = oneOf ?? anyOf ?? [];
	if (!named.every(({ const: value }) => value !== void 0)) return [];
	return named.map(({ const: value, title }) => ({
		value,
		label: title ?? wordsOf(value)
	}));
}
var wordsOf = (value) => typeof value === "string" ? value : JSON.stringify(value);
var itemsOf = ({ items }) => items ?? {};
/** Returns the fields of an object, in the order of its schema. */
function membersOf({ schema, path, at = "" }) {
	return Object.entries(schema.properties ?? {}).map(([key, member]) => {
		const { schema: plain, isNullable } = withoutNull(member);
		const isWanted = schema.required?.includes(key) === true;
		return {
			schema: plain,
			path: `${path}/${key}`,
			at: at ? `${at}.${key}` : key,
			isRequired: isWanted && !isNullable,
			isNullable: isWanted && isNullable
		};
	});
}
/** Returns the field of a list item. Its path has a key that stays the same when it moves. */
var itemOf = ({ schema, path, at = "" }, { key, index }) => ({
	schema: {
		...schema.presets?.[Number(key)] ?? itemsOf(schema),
		title: itemsOf(schema).title ?? `${singular(labelOf({
			schema,
			path
		}))} ${index + 1}`
	},
	path: `${path}/${key}`,
	at: at ? `${at}.${index}` : String(index),
	isRequired: true
});
/** Returns the singular of a label. */
var singular = (label) => /[^s]s$/.test(label) ? label.slice(0, -1) : `${label}:`;
/** Returns the label of a field: its title, or its key in words. */
function labelOf({ schema, path }) {
	if (schema.title) return schema.title;
	const words = path.slice(path.lastIndexOf("/") + 1).replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ").toLowerCase();
	return words.charAt(0).toUpperCase() + words.slice(1) || "Value";
}
// ../packages/react/src/outlet/Input.tsx
/** The native input for one simple value, or a text area for JSON. */
function Input({ schema, ...field }) {
	const { default: preset, format = "", minLength, maxLength } = schema;
	const defaultValue = preset === void 0 ? void 0 : String(preset);
	switch (fieldKind(schema)) {
		case "boolean": return /* @__PURE__ */ jsx("input", {
			...field,
			required: false,
			type: "checkbox",
			defaultChecked: preset === true
		});
		case "choice": return /* @__PURE__ */ jsx(Select, {
			schema,
			...field
		});
		case "file": return /* @__PURE__ */ jsx(FileInput, {
			schema,
			...field
		});
		case "number": {
			const { minimum: min, maximum: max, type, multipleOf } = schema;
			const step = multipleOf ?? (type === "integer" ? 1 : "any");
			return /* @__PURE__ */ jsx("input", {
				...field,
				type: "number",
				min,
				max,
				step,
				defaultValue
			});
		}
		case "text": {
			const type = Object.hasOwn(inputTypes, format) ? inputTypes[format] : "text";
			return /* @__PURE__ */ jsx("input", {
				...field,
				type,
				autoComplete: "off",
				minLength,
				maxLength,
				defaultValue
			});
		}
		case "lines": return /* @__PURE__ */ jsx("textarea", {
			...field,
			rows: 4,
			minLength,
			maxLength,
			defaultValue
		});
		default: {
			const json = preset === void 0 ? void 0 : plainJson(preset);
			return /* @__PURE__ */ jsx("textarea", {
				...field,
				"data-interleave": "json",
				rows: 4,
				spellCheck: false,
				defaultValue: json
			});
		}
	}
}
var inputTypes = {
	date: "date",
	"date-time": "datetime-local",
	time: "time",
	email: "email",
	uri: "url",
	url: "url",
	password: "password"
};
function Select({ schema, ...field }) {
	const options = optionsOf(schema);
	const preset = options.findIndex(({ value }) => value === schema.default);
	return /* @__PURE__ */ jsxs("select", {
		...field,
		defaultValue: preset < 0 ? "" : preset,
		children: [/* @__PURE__ */ jsx("option", {
			value: "",
			children: field.required ? "Choose…" : "–"
		}), options.map(({ label }, index) => /* @__PURE__ */ jsx("option", {
			value: index,
			children: plainText(label).slice(0, 200)
		}, label))]
	});
}
/** A file picker. The file is read when the form is submitted. */
function FileInput({ schema, ...field }) {
	const [file, setFile] = useState();
	const { contentMediaType = "" } = schema;
	return /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx("input", {
		...field,
		type: "file",
		accept: acceptOf(contentMediaType),
		onChange: (event) => setFile(event.currentTarget.files?.[0])
	}), /* @__PURE__ */ jsx("output", {
		htmlFor: field.id,
		"data-interleave": "file",
		children: file && /* @__PURE__ */ jsxs(Fragment, { children: [
			/* @__PURE__ */ jsx(UntrustedText, {
				limit: 120,
				children: file.name
			}),
			" (",
			sizeOf(file),
			")"
		] })
	})] });
}
/** Adds the file extension, for systems that do not know the media type. */
function acceptOf(mediaType) {
	const ending = mediaType.split("/")[1]?.match(/^\w+$/)?.[0];
	return ending && ending !== "plain" ? `${mediaType},.${ending}` : mediaType;
}
var units = [
	"byte",
	"kilobyte",
	"megabyte",
	"gigabyte"
];
function sizeOf({ size }) {
	const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), units.length - 1);
	const unit = units[power] ?? "byte";
	const unitDisplay = unit === "byte" ? "long" : "short";
	return new Intl.NumberFormat("en", {
		style: "unit",
		unit,
		unitDisplay,
		maximumFractionDigits: 1
	}).format(size / 1e3 ** power);
}
// ../packages/react/src/outlet/Field.tsx
/** The input for one value of a form, or the inputs of an object or a list, with label, hint and error. */
function Field(place) {
	switch (fieldKind(place.schema)) {
		case "group": return /* @__PURE__ */ jsx(Group, { ...place });
		case "list": return /* @__PURE__ */ jsx(ListField, { ...place });
		case "choices": return /* @__PURE__ */ jsx(Checkboxes, { ...place });
		default: return /* @__PURE__ */ jsx(SingleField, { ...place });
	}
}
/** The error of the latest reply; empty if there is none. */
var ProblemContext = createContext("");
/** Returns the hint and the error of a field, and the ids that `aria-describedby` needs. */
function useHints(place) {
	const { description } = place.schema;
	const id = useId();
	const problem = problemAt(useContext(ProblemContext), place);
	const hint = description && /* @__PURE__ */ jsx("small", {
		id: `${id}hint`,
		children: /* @__PURE__ */ jsx(UntrustedText, { children: description })
	});
	const about = [description && `${id}hint`, problem && `${id}problem`].filter(Boolean).join(" ");
	return {
		hint,
		problem: problem && /* @__PURE__ */ jsx("small", {
			id: `${id}problem`,
			"data-interleave": "field-problem",
			children: /* @__PURE__ */ jsx(UntrustedText, { children: problem })
		}),
		about: about || void 0
	};
}
/**
* Returns the error of a field. Errors begin with the field's path in the value, or its label:
* `contact.email: Invalid`.
*/
function problemAt(problem, { at, ...place }) {
	if (!problem || !at && place.path === "") return void 0;
	for (const name of [at, labelOf(place)]) {
		const own = name && problem.split("; ").find((part) => part.startsWith(`${name}: `));
		if (own) return own.slice(`${name}: `.length);
	}
}
function SingleField(place) {
	const { schema, path, isRequired } = place;
	const id = useId();
	const { hint, problem, about } = useHints(place);
	const kind = fieldKind(schema);
	return /* @__PURE__ */ jsxs("div", {
		"data-interleave": "field",
		"data-kind": kind,
		children: [
			/* @__PURE__ */ jsxs("label", {
				htmlFor: id,
				children: [/* @__PURE__ */ jsx(UntrustedText, {
					limit: 200,
					children: labelOf(place)
				}), !isRequired && kind !== "boolean" && /* @__PURE__ */ jsx("small", { children: " (optional)" })]
			}),
			hint,
			/* @__PURE__ */ jsx(Input, {
				schema,
				id,
				name: path,
				required: isRequired,
				"aria-describedby": about,
				"aria-invalid": problem ? true : void 0
			}),
			problem
		]
	});
}
/** A group of inputs with their label, hint and error. */
function Fieldset({ name, place, children }) {
	const { hint, problem, about } = useHints(place);
	return /* @__PURE__ */ jsxs("fieldset", {
		"data-interleave": name,
		"aria-describedby": about,
		children: [
			/* @__PURE__ */ jsx("legend", { children: /* @__PURE__ */ jsx(UntrustedText, {
				limit: 200,
				children: labelOf(place)
			}) }),
			hint,
			children,
			problem
		]
	});
}
/** The form itself is a group too, and needs no fieldset. */
function Group(place) {
	const fields = membersOf(place).map((member) => /* @__PURE__ */ jsx(Field, { ...member }, member.path));
	if (place.path === "") return fields;
	return /* @__PURE__ */ jsx(Fieldset, {
		name: "group",
		place,
		children: fields
	});
}
function Checkboxes(place) {
	const { schema, path } = place;
	const preset = schema.default;
	return /* @__PURE__ */ jsx(Fieldset, {
		name: "boxes",
		place,
		children: optionsOf(itemsOf(schema)).map(({ value, label }, index) => /* @__PURE__ */ jsxs("label", {
			"data-interleave": "option",
			children: [/* @__PURE__ */ jsx("input", {
				type: "checkbox",
				name: path,
				value: index,
				defaultChecked: Array.isArray(preset) && preset.includes(value)
			}), /* @__PURE__ */ jsx(UntrustedText, {
				limit: 200,
				children: label
			})]
		}, label))
	});
}
/** A list of values to which the user can add and from which the user can remove items. */
function ListField(place) {
	const { schema, path } = place;
	const [keys, setKeys] = useState(() => initialKeys(schema));
	const next = useRef(keys.length);
	const box = useRef(null);
	const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
	const one = plainText(singular(labelOf(place)).replace(/:$/, "")).toLowerCase();
	const add = () => {
		setKeys([...keys, String(next.current++)]);
		setTimeout(() => focusLastItem(box.current));
	};
	const remove = (key) => {
		setKeys(keys.filter((other) => other !== key));
		box.current?.querySelector("[data-interleave=\"add\"]")?.focus();
	};
	return /* @__PURE__ */ jsx(Fieldset, {
		name: "group",
		place,
		children: /* @__PURE__ */ jsxs("div", {
			ref: box,
			"data-interleave": "list",
			children: [keys.map((key, index) => /* @__PURE__ */ jsxs("div", {
				"data-interleave": "item",
				children: [
					/* @__PURE__ */ jsx("input", {
						type: "hidden",
						name: path,
						value: key
					}),
					/* @__PURE__ */ jsx(Field, { ...itemOf(place, {
						key,
						index
					}) }),
					keys.length > minItems && /* @__PURE__ */ jsx("button", {
						type: "button",
						"data-interleave": "remove",
						"aria-label": `Remove ${one} ${index + 1}`,
						onClick: () => remove(key),
						children: "Remove"
					})
				]
			}, key)), keys.length < maxItems && /* @__PURE__ */ jsxs("button", {
				type: "button",
				"data-interleave": "add",
				onClick: add,
				children: ["Add ", one]
			})]
		})
	});
}
/** No user could fill in a form with more items. */
var mostItems = 200;
/** Returns the keys of the initial items: their indexes. A key names an item's inputs, wherever the item moves. */
function initialKeys({ default: preset, minItems = 0 }) {
	const { length } = Array.isArray(preset) ? preset : [];
	return Array.from({ length: Math.min(Math.max(length, minItems), mostItems) }, (_, index) => String(index));
}
function focusLastItem(box) {
	const items = box?.querySelectorAll("[data-interleave=\"item\"]") ?? [];
	const field = ":is(input:not([type=\"hidden\"]), select, textarea)";
	[...items].at(-1)?.querySelector(field)?.focus();
}
// ../packages/react/src/outlet/presetWith.ts
/**
* Adds a value to a schema, as initial values for the form. An unchanged form returns the same value. Values that do
* not fit their field become JSON.
*/
function presetWith(given, value) {
	const { schema } = withoutNull(given);
	if (value === void 0) return withoutDefaults(fieldKind(schema) === "boolean" ? yesNoOrNothing(schema) : schema);
	const { title, description } = schema;
	const asJson = {
		...title && { title },
		...description && { description },
		default: value
	};
	if (isRecord(value)) return fieldKind(schema) === "group" ? groupWith(schema, value) : asJson;
	const kind = fieldKind(schema);
	if (kind === "list" && Array.isArray(value)) {
		const items = withoutDefaults(itemsOf(schema));
		return {
			...schema,
			items,
			presets: value.map((item) => presetWith(items, item)),
			default: value
		};
	}
	const filled = {
		...kind === "text" ? inText(schema, value) : schema,
		default: value
	};
	return fits(filled, value) ? filled : asJson;
}
function groupWith(schema, value) {
	const known = schema.properties ?? {};
	const others = Object.keys(value).filter((key) => !Object.hasOwn(known, key));
	const properties = Object.fromEntries([...Object.entries(known).map(([key, member]) => [key, presetWith(member, Object.hasOwn(value, key) ? value[key] : void 0)]), ...others.map((key) => [key, presetWith(schemaOf(value[key]), value[key])])]);
	return {
		...schema,
		properties,
		default: value,
		required: [...schema.required ?? [], ...others]
	};
}
/** Returns the schema of a value that the given schema does not describe. */
var schemaOf = (value) => typeof value === "object" && value !== null ? {} : { type: value === null ? "null" : typeof value };
/** An unchecked box would mean no, so an undefined boolean is a choice. */
var yesNoOrNothing = ({ type: _, ...schema }) => ({
	...schema,
	enum: [true, false]
});
/** Removes defaults, so that empty fields stay empty. */
function withoutDefaults({ default: _, ...schema }) {
	const { properties } = schema;
	if (!properties) return schema;
	const members = Object.entries(properties).map(([key, member]) => [key, withoutDefaults(member)]);
	return {
		...schema,
		properties: Object.fromEntries(members)
	};
}
/** Uses a text input for dates that a date input cannot hold, and for instants, which would lose their zone. */
function inText(schema, value) {
	const { format, ...rest } = schema;
	return (format === "date" ? /^\d{4}-\d\d-\d\d$/.test(String(value)) : !/^(date-time|time|password)$/.test(format ?? "")) ? schema : rest;
}
function fits(schema, value) {
	switch (fieldKind(schema)) {
		case "choice": return optionsOf(schema).some((option) => option.value === value);
		case "choices": return Array.isArray(value) && isInOrder(schema, value);
		case "boolean": return typeof value === "boolean";
		case "number": return typeof value === "number";
		case "text":
		case "lines": return typeof value === "string" && !hasHidden(value) && !value.includes("\r");
		default: return false;
	}
}
/** Checkboxes are read in the order of the options, each at most once. */
function isInOrder(schema, values) {
	const checked = optionsOf(itemsOf(schema)).filter((option) => values.includes(option.value));
	return checked.length === values.length && checked.every((option, index) => option.value === values[index]);
}
var isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
// ../packages/react/src/outlet/readField.ts
/**
* Reads the entered value as the schema describes it; undefined for an empty field. Throws a readable error for what it
* can validate itself.
*/
async function readField(place, data) {
	const { schema, path } = place;
	const entry = data.get(path);
	switch (fieldKind(schema)) {
		case "group": return readGroup(place, data);
		case "list": return readList(place, data);
		case "boolean": return entry !== null;
		case "choices": return readChoices(place, data.getAll(path));
		case "choice": return entry ? chosen(optionsOf(schema), entry) : empty(place);
		case "file": return entry instanceof File && entry.name ? readFile(entry, schema) : empty(place);
		case "number": return entry ? readNumber(place, String(entry)) : empty(place);
		case "text":
		case "lines": return entry ? toText(schema, String(entry)) : isWanted(place) ? "" : empty(place);
		case "json": return entry ? readJson(place, String(entry)) : empty(place);
	}
}
async function readGroup(place, data) {
	const value = {};
	for (const member of membersOf(place)) {
		const read = await readField(member, data);
		if (read !== void 0) value[member.path.slice(place.path.length + 1)] = read;
	}
	return place.isRequired || place.schema.default !== void 0 || Object.keys(value).length > 0 ? value : empty(place);
}
/** Each item has a hidden input with its key. */
async function readList(place, data) {
	const values = [];
	for (const [index, key] of data.getAll(place.path).entries()) values.push(await readField(itemOf(place, {
		key: String(key),
		index
	}), data) ?? null);
	return place.isRequired || values.length > 0 || place.schema.default !== void 0 ? values : empty(place);
}
function readChoices(place, indexes) {
	const { isRequired, schema } = place;
	if (indexes.length === 0 && !isRequired && schema.default === void 0) return empty(place);
	return indexes.map((index) => chosen(optionsOf(itemsOf(schema)), index));
}
/** Returns true if an empty string is a value: if one is required, or it was the preset. */
var isWanted = ({ isRequired, schema }) => isRequired || schema.default === "";
var empty = ({ isNullable }) => isNullable ? null : void 0;
var chosen = (options, index) => options[Number(index)]?.value;
function readNumber(place, text) {
	const value = Number(text);
	if (Number.isFinite(value)) return value;
	throw new Error(`${labelOf(place)}: must be a number.`);
}
/** A `datetime-local` input has a local time, and the schema needs an instant. */
var toText = ({ format }, text) => format === "date-time" ? new Date(text).toISOString() : text;
function readJson(place, text) {
	try {
		return JSON.parse(text);
	} catch {
		throw new Error(`${labelOf(place)}: must be valid JSON.`);
	}
}
/** Reads a file as the schema describes it: as text, as base64, or as a `data:` URL. */
async function readFile(file, { contentEncoding, format }) {
	const isAddress = format === "data-url";
	if (!isAddress && contentEncoding !== "base64" && format !== "binary") return file.text();
	const base64 = toBase64(new Uint8Array(await file.arrayBuffer()));
	return isAddress ? `data:${file.type || "application/octet-stream"};base64,${base64}` : base64;
}
function toBase64(bytes) {
	let binary = "";
	for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
	return btoa(binary);
}
// ../packages/react/src/outlet/InputEditor.tsx
/** Edits the input of a tool call, by field or as JSON. Switching keeps the changes. It must be inside of a form. */
function InputEditor({ handle, ask }) {
	const box = useRef(null);
	const [value, setValue] = useState(ask.input);
	const [isJson, showJson] = useState(false);
	const [problem, setProblem] = useState("");
	const schema = useMemo(() => presetWith(plainSchema(ask.schema), value), [ask.schema, value]);
	const isFields = !isJson && fieldKind(schema) === "group";
	const place = {
		schema,
		path: "",
		isRequired: true
	};
	const now = async () => {
		const form = box.current?.closest("form");
		if (isFields && form) {
			if (!form.reportValidity()) throw new Error("Some fields are invalid.");
			return await readField(place, new FormData(form)) ?? null;
		}
		return parse(box.current?.querySelector("textarea")?.value ?? "");
	};
	useImperativeHandle(handle, () => ({ async read() {
		const edited = await now();
		return sameJson(edited, ask.input) ? void 0 : edited;
	} }));
	const swap = async () => {
		try {
			setValue(await now());
			setProblem("");
			showJson(!isJson);
		} catch (error) {
			setProblem(messageOf(error));
		}
	};
	return /* @__PURE__ */ jsxs("div", {
		ref: box,
		"data-interleave": "editor",
		children: [
			/* @__PURE__ */ jsxs("label", {
				"data-interleave": "as-json",
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: !isFields,
					disabled: !isJson && !isFields,
					onChange: () => void swap()
				}), " as JSON"]
			}),
			isFields ? /* @__PURE__ */ jsx(Field, { ...place }, plainJson(value)) : /* @__PURE__ */ jsx(JsonField, { json: plainJson(value) }),
			problem && /* @__PURE__ */ jsx("small", {
				role: "alert",
				"data-interleave": "field-problem",
				children: problem
			})
		]
	});
}
var mostLines = 14;
function JsonField({ json }) {
	const id = useId();
	const rows = Math.min(mostLines, json.split("\n").length + 1);
	return /* @__PURE__ */ jsxs("div", {
		"data-interleave": "field",
		children: [/* @__PURE__ */ jsx("label", {
			htmlFor: id,
			children: "Input as JSON"
		}), /* @__PURE__ */ jsx("textarea", {
			id,
			"data-interleave": "json",
			rows,
			spellCheck: false,
			defaultValue: json
		})]
	});
}
function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		throw new Error("The input is not valid JSON.");
	}
}
/** Returns true if two values are equal, regardless of the order of their members. */
function sameJson(one, other) {
	if (one === other) return true;
	if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
	if (Array.isArray(one) !== Array.isArray(other)) return false;
	const [members, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
	return members.size === others.size && [...members].every(([key, value]) => others.has(key) && sameJson(value, others.get(key)));
}
// ../packages/react/src/useAsk.ts
/** Sends replies to a question. The error of one question is not shown for the next, even if it is the same one again. */
function useReply(run, ask) {
	const [progress, setProgress] = useState({
		of: ask,
		isSending: false
	});
	const { error, isSending } = progress.of === ask ? progress : {
		error: void 0,
		isSending: false
	};
	const sending = useRef(void 0);
	const showProblem = useCallback((message) => setProgress({
		of: ask,
		error: {
			code: "reply_invalid",
			message,
			retryable: true
		},
		isSending: false
	}), [ask]);
	return {
		reply: useCallback(async (value) => {
			if (!run || !ask || sending.current === ask) return false;
			const end = (error) => setProgress((now) => now.of === ask ? {
				of: ask,
				error,
				isSending: false
			} : now);
			setProgress({
				of: ask,
				isSending: true
			});
			sending.current = ask;
			try {
				await run.reply(ask.id, value);
				end();
				return true;
			} catch (problem) {
				end(toFailure$1(problem, "reply_invalid"));
				return false;
			} finally {
				if (sending.current === ask) sending.current = void 0;
			}
		}, [run, ask]),
		error,
		showProblem,
		isSending
	};
}
// ../packages/react/src/outlet/AskForm.tsx
/** Declines the question, if it can be declined. */
var DeclineContext = createContext(void 0);
/** The form of a question. Its fields are uncontrolled, so they keep what was typed; it is read when it is submitted. */
function AskForm({ kind, isSending, onSubmit, buttons = /* @__PURE__ */ jsx(SendButton, {}), children }) {
	return /* @__PURE__ */ jsxs("form", {
		"data-interleave": "form",
		"data-kind": kind,
		"aria-busy": isSending,
		onKeyDown: submitWithEnter,
		onSubmit: (event) => {
			event.preventDefault();
			onSubmit?.(new FormData(event.currentTarget));
		},
		children: [children, /* @__PURE__ */ jsxs("div", {
			"data-interleave": "actions",
			children: [/* @__PURE__ */ jsx(DeclineButtons, {}), buttons]
		})]
	});
}
/** The user may refuse, or not want to say. Escape and "Later" leave the question open. */
function DeclineButtons() {
	const decline = useContext(DeclineContext);
	return decline && [["cancelled", "Cancel"], ["declined", "Decline"]].map(([$reply, label]) => /* @__PURE__ */ jsx("button", {
		type: "button",
		"data-interleave": $reply,
		onClick: () => void decline({ $reply }),
		children: label
	}, $reply));
}
/** Enter alone starts a new line in a text area, so Ctrl+Enter submits. */
function submitWithEnter(event) {
	if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}
var SendButton = ({ label = "Reply" }) => /* @__PURE__ */ jsx("button", {
	type: "submit",
	"data-interleave": "send",
	children: label
});
// ../packages/react/src/outlet/ApprovalAsk.tsx
/**
* Asks whether a call may run. Shows the input that it will run with; the user can edit it by field or as JSON.
* Submitting the form refuses. The refusal has the initial focus unless the tool is `pure`, so that a stray Enter does
* not approve.
*/
function ApprovalAsk({ ask, reply, showProblem, isSending }) {
	const id = useId();
	const [isEditing, edit] = useState(false);
	const editor = useRef(null);
	const next = useRef(null);
	const refuse = (data) => {
		const reason = String(data.get("reason") ?? "").trim();
		reply({
			approved: false,
			...reason && { reason }
		});
	};
	const approve = async () => {
		try {
			const input = isEditing ? await editor.current?.read() : void 0;
			const always = next.current?.value;
			const isAllowed = always === "tool" || always === "input";
			await reply({
				approved: true,
				...input !== void 0 && { input },
				...isAllowed && { always }
			});
		} catch (error) {
			showProblem(messageOf(error));
		}
	};
	const buttons = /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx("button", {
		type: "button",
		"data-interleave": "approve",
		"data-interleave-focus": ask.pure && "",
		onClick: () => void approve(),
		children: "Approve"
	}), /* @__PURE__ */ jsx("button", {
		type: "submit",
		"data-interleave": "refuse",
		"data-interleave-focus": ask.pure ? void 0 : "",
		children: "Refuse"
	})] });
	return /* @__PURE__ */ jsxs(AskForm, {
		kind: "approval",
		isSending,
		onSubmit: refuse,
		buttons,
		children: [
			/* @__PURE__ */ jsxs("p", {
				"data-interleave": "tool",
				children: [
					"Tool ",
					/* @__PURE__ */ jsx(UntrustedText, {
						limit: 100,
						children: ask.tool
					}),
					/* @__PURE__ */ jsx("small", { children: ask.pure ? "changes nothing" : "may change something" })
				]
			}),
			/* @__PURE__ */ jsxs("section", {
				"data-interleave": "input",
				"aria-labelledby": `${id}input`,
				children: [/* @__PURE__ */ jsxs("header", { children: [/* @__PURE__ */ jsx("h3", {
					id: `${id}input`,
					children: isEditing ? "Edit input" : "Runs with this input"
				}), /* @__PURE__ */ jsx("button", {
					type: "button",
					"data-interleave": "edit",
					onClick: () => edit(!isEditing),
					children: isEditing ? "Discard" : "Edit"
				})] }), isEditing ? /* @__PURE__ */ jsx(InputEditor, {
					handle: editor,
					ask
				}) : /* @__PURE__ */ jsx(ValueView, { value: ask.input })]
			}),
			ask.allow !== "once" && /* @__PURE__ */ jsxs("div", {
				"data-interleave": "field",
				children: [/* @__PURE__ */ jsx("label", {
					htmlFor: `${id}next`,
					children: "If approved, next time"
				}), /* @__PURE__ */ jsxs("select", {
					id: `${id}next`,
					ref: next,
					defaultValue: "ask",
					"data-interleave": "always",
					children: [
						/* @__PURE__ */ jsx("option", {
							value: "ask",
							children: "Ask again"
						}),
						/* @__PURE__ */ jsxs("option", {
							value: "input",
							children: ["Allow ", inputWords(ask)]
						}),
						ask.allow === void 0 && /* @__PURE__ */ jsx("option", {
							value: "tool",
							children: "Allow this tool with any input"
						})
					]
				})]
			}),
			/* @__PURE__ */ jsxs("div", {
				"data-interleave": "field",
				children: [/* @__PURE__ */ jsxs("label", {
					htmlFor: `${id}reason`,
					children: ["Reason for refusing ", /* @__PURE__ */ jsx("small", { children: "(optional)" })]
				}), /* @__PURE__ */ jsx("input", {
					id: `${id}reason`,
					name: "reason",
					type: "text",
					autoComplete: "off"
				})]
			})
		]
	});
}
/** Says which inputs count as the same. */
var inputWords = ({ allowBy }) => allowBy ? `this tool with the same ${plainText(allowBy.join(", ")).slice(0, 100)}` : "this tool with this input";
var deepest = 5;
/** Shows a value for a decision: every member, nothing hidden; long values are cut until the user expands them. */
function ValueView({ value, depth = 0 }) {
	if (typeof value === "string") return value ? /* @__PURE__ */ jsx(UntrustedText, { children: value }) : /* @__PURE__ */ jsx("em", { children: "empty text" });
	if (typeof value !== "object" || value === null) return /* @__PURE__ */ jsx("code", { children: String(value) });
	if (depth > deepest) return /* @__PURE__ */ jsx(UntrustedText, { children: plainJson(value) });
	if (Object.keys(value).length === 0) return /* @__PURE__ */ jsx("em", { children: Array.isArray(value) ? "empty list" : "nothing" });
	return /* @__PURE__ */ jsx(Members, {
		value,
		depth
	});
}
var mostAtFirst = 20;
/** The members of an object or a list; of many, the first, until the user wants the others. */
function Members({ value, depth }) {
	const [showsAll, showAll] = useState(false);
	const all = Object.entries(value);
	const shown = showsAll ? all : all.slice(0, mostAtFirst);
	const views = shown.map(([key, member]) => [key, /* @__PURE__ */ jsx(ValueView, {
		value: member,
		depth: depth + 1
	}, key)]);
	return /* @__PURE__ */ jsxs(Fragment, { children: [Array.isArray(value) ? /* @__PURE__ */ jsx("ol", {
		"data-interleave": "values",
		children: views.map(([key, view]) => /* @__PURE__ */ jsx("li", { children: view }, key))
	}) : /* @__PURE__ */ jsx("dl", {
		"data-interleave": "value",
		children: views.map(([key, view]) => /* @__PURE__ */ jsxs("div", { children: [/* @__PURE__ */ jsx("dt", { children: /* @__PURE__ */ jsx(UntrustedText, {
			limit: 80,
			children: key
		}) }), /* @__PURE__ */ jsx("dd", { children: view })] }, key))
	}), all.length > shown.length && /* @__PURE__ */ jsxs("button", {
		type: "button",
		"data-interleave": "more",
		onClick: () => showAll(true),
		children: [
			"Show ",
			(all.length - shown.length).toLocaleString("en"),
			" more"
		]
	})] });
}
// ../packages/react/src/outlet/announcements.tsx
/**
* Returns the screen reader announcement: a question that arrived without opening, or one that closed without a reply
* from here. An opening dialog announces itself.
*/
function useAnnouncement(asks, { run, isOpen, shortcut }) {
	const [text, announce] = useState("");
	const before = useRef({
		run,
		asks: []
	});
	const replies = useRef(/* @__PURE__ */ new Set());
	const announced = useRef(void 0);
	const repliedIds = useRef(/* @__PURE__ */ new Set());
	useEffect(() => {
		const ids = /* @__PURE__ */ new Set();
		repliedIds.current = ids;
		return run?.subscribe((event) => void (event.type === "replied" && ids.add(event.ask)));
	}, [run]);
	useEffect(() => {
		const [ask] = asks;
		const last = before.current;
		before.current = {
			run,
			asks
		};
		const isGone = (ask) => !asks.some(({ id }) => id === ask.id) && ![...replies.current].some((sent) => sent.ask === ask);
		const gone = last.run === run ? last.asks.filter(isGone) : [];
		if (gone.length > 0) {
			const words = gone.some(({ id }) => repliedIds.current.has(id)) ? "The question was answered elsewhere." : "The question is no longer open.";
			announce(ask ? `${words} Here is the next one.` : words);
		} else if (ask && run && !isOpen && announced.current !== ask) {
			announced.current = ask;
			const how = shortcut ? ` (${shortcut} opens it)` : "";
			announce(`${plainText(askerOf(run.state, ask))} asks: ${plainText(ask.prompt).slice(0, 200)}${how}`);
		} else if (isOpen || last.run !== run) announce("");
	}, [
		asks,
		isOpen,
		run,
		shortcut
	]);
	const onReply = (ask) => {
		const sent = { ask };
		replies.current.add(sent);
		return () => void replies.current.delete(sent);
	};
	return [text, onReply];
}
/** Names the asking agent and tool, so that users do not mistake a tool's question for the app's. */
function Origin({ id, run, ask }) {
	const asker = useRun(run, useCallback((state) => askerOf(state, ask), [ask]));
	return /* @__PURE__ */ jsxs("p", {
		id,
		"data-interleave": "origin",
		title: ask.from && `Run ${ask.from.runId}`,
		children: ["Asked by ", /* @__PURE__ */ jsx(UntrustedText, {
			limit: 200,
			children: asker
		})]
	});
}
/** Returns the asking agent, with its tool, or with the agent that called it; or the service that asks through it. */
function askerOf(state, ask) {
	if (ask.asker !== void 0) return `${ask.asker}, for ${state.agent}`;
	if (ask.from) return `${ask.from.agent}, working for ${state.agent}`;
	const tool = openCalls(state).find(({ key }) => key === ask.call)?.name;
	return tool ? `${state.agent}, using ${tool}` : state.agent;
}
// ../packages/react/src/outlet/basicAsks.tsx
/** One of several options, as radio buttons. */
function ChoiceAsk({ ask, reply, showProblem, isSending }) {
	const send = (data) => {
		const value = data.get("option");
		if (typeof value === "string") reply(value);
		else showProblem("Choose one.");
	};
	return /* @__PURE__ */ jsx(AskForm, {
		kind: "choice",
		isSending,
		onSubmit: send,
		children: /* @__PURE__ */ jsx(OptionList, {
			type: "radio",
			legend: "Choose one",
			options: ask.options
		})
	});
}
/** Any number of options, as checkboxes. */
var ChoicesAsk = ({ ask, reply, isSending }) => /* @__PURE__ */ jsx(AskForm, {
	kind: "choices",
	isSending,
	onSubmit: (data) => void reply(data.getAll("option").map(String)),
	children: /* @__PURE__ */ jsx(OptionList, {
		type: "checkbox",
		legend: legendOf(ask),
		options: ask.options
	})
});
function legendOf({ min, max, options }) {
	if (min === max) return `Choose ${min}`;
	if (max < options.length) return min > 0 ? `Choose ${min} to ${max}` : `Choose up to ${max}`;
	return min > 0 ? `Choose at least ${min}` : "Choose any";
}
/** Options as cards with native inputs, in a group whose legend says how many to choose. */
function OptionList({ type, legend, options }) {
	const id = useId();
	return /* @__PURE__ */ jsxs("fieldset", {
		"data-interleave": "options",
		children: [/* @__PURE__ */ jsx("legend", { children: legend }), options.map(({ value, label, description }, index) => /* @__PURE__ */ jsxs("label", {
			"data-interleave": "option",
			"data-number": index < 9 ? index + 1 : void 0,
			children: [/* @__PURE__ */ jsx("input", {
				type,
				name: "option",
				value,
				required: type === "radio",
				"data-interleave-key": index + 1,
				"aria-labelledby": `${id}label${index}`,
				"aria-describedby": description ? `${id}${index}` : void 0
			}), /* @__PURE__ */ jsxs("span", { children: [/* @__PURE__ */ jsx("span", {
				id: `${id}label${index}`,
				children: /* @__PURE__ */ jsx(UntrustedText, {
					limit: 200,
					children: label
				})
			}), description && /* @__PURE__ */ jsx("small", {
				id: `${id}${index}`,
				children: /* @__PURE__ */ jsx(UntrustedText, {
					limit: 300,
					children: description
				})
			})] })]
		}, value))]
	});
}
/** Yes or no, as two buttons. */
function ConfirmAsk({ ask, reply, isSending }) {
	const buttons = ["yes", "no"].map((answer, index) => /* @__PURE__ */ jsx("button", {
		type: "button",
		"data-interleave": answer,
		"data-interleave-key": index + 1,
		"data-interleave-focus": index === 0 ? "" : void 0,
		onClick: () => void reply(answer === "yes"),
		children: /* @__PURE__ */ jsx(UntrustedText, {
			limit: Number.POSITIVE_INFINITY,
			children: ask[answer]
		})
	}, answer));
	return /* @__PURE__ */ jsx(AskForm, {
		kind: "confirm",
		isSending,
		buttons
	});
}
/** A text field of one or several lines. */
function TextAsk({ ask, titleId, reply, isSending }) {
	const { multiline, minLength, maxLength, placeholder } = ask;
	const field = {
		name: "text",
		"aria-labelledby": titleId,
		required: minLength > 0,
		minLength,
		maxLength,
		autoComplete: "off",
		...placeholder && { placeholder: plainText(placeholder).slice(0, 200) }
	};
	return /* @__PURE__ */ jsx(AskForm, {
		kind: "text",
		isSending,
		onSubmit: (data) => void reply(String(data.get("text") ?? "")),
		children: multiline ? /* @__PURE__ */ jsx("textarea", {
			rows: 5,
			...field
		}) : /* @__PURE__ */ jsx("input", {
			type: "text",
			...field
		})
	});
}
/** A limit is reached or near: extend it, or finish the run, with an answer if it has a last turn for one. */
function ExtensionAsk({ ask, reply, isSending }) {
	const id = useId();
	const buttons = /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(SendButton, { label: "Continue" }), /* @__PURE__ */ jsx("button", {
		type: "button",
		"data-interleave": "finish",
		onClick: () => void reply({ finish: true }),
		children: ask.finish === "answer" ? "Answer now" : "Finish now"
	})] });
	return /* @__PURE__ */ jsxs(AskForm, {
		kind: "extension",
		isSending,
		onSubmit: (data) => void reply({ extend: Number(data.get("more")) }),
		buttons,
		children: [
			/* @__PURE__ */ jsxs("p", { children: [
				"Used ",
				ask.used,
				" of ",
				ask.allowed,
				" (",
				ask.limit,
				")."
			] }),
			/* @__PURE__ */ jsx("label", {
				htmlFor: id,
				children: "Extend the limit by"
			}),
			/* @__PURE__ */ jsx("input", {
				id,
				name: "more",
				type: "number",
				min: 0,
				step: "any",
				required: true,
				defaultValue: ask.suggested
			})
		]
	});
}
/** Several fields, from a JSON Schema. */
function FormAsk({ ask, reply, showProblem, isSending }) {
	const field = {
		schema: useMemo(() => plainSchema(ask.schema), [ask.schema]),
		path: "",
		isRequired: true
	};
	const send = async (data) => {
		try {
			await reply(await readField(field, data) ?? null);
		} catch (error) {
			showProblem(messageOf(error));
		}
	};
	return /* @__PURE__ */ jsx(AskForm, {
		kind: "form",
		isSending,
		onSubmit: (data) => void send(data),
		children: /* @__PURE__ */ jsx(Field, { ...field })
	});
}
/** An address to open, with its host marked, and a button for when it is done there. It opens only when it is clicked. */
function LinkAsk({ ask, reply, isSending }) {
	const url = linkAddress(ask.url);
	return /* @__PURE__ */ jsx(AskForm, {
		kind: "link",
		isSending,
		onSubmit: () => void reply("done"),
		buttons: /* @__PURE__ */ jsx(SendButton, { label: "Done" }),
		children: url ? /* @__PURE__ */ jsxs("p", {
			"data-interleave": "link",
			children: [/* @__PURE__ */ jsxs("a", {
				href: url.href,
				target: "_blank",
				rel: "noopener noreferrer",
				"data-interleave-focus": "",
				children: [
					url.protocol,
					"//",
					/* @__PURE__ */ jsx("strong", { children: url.host }),
					url.href.slice(url.origin.length)
				]
			}), url.host.includes("xn--") && /* @__PURE__ */ jsx("small", { children: " The name of this site has letters that may look like others." })]
		}) : /* @__PURE__ */ jsxs("p", {
			role: "alert",
			children: ["This address cannot be opened safely: ", /* @__PURE__ */ jsx(UntrustedText, { children: ask.url })]
		})
	});
}
// ../packages/react/src/outlet/keyboard.ts
/** Chooses an option with the keys 1 to 9. A button only gets the focus, so that a stray key decides nothing. */
function chooseByNumber(event) {
	const { key, altKey, ctrlKey, metaKey } = event;
	if (!/^[1-9]$/.test(key) || altKey || ctrlKey || metaKey || isTextField(document.activeElement)) return;
	const option = event.currentTarget.querySelector(`[data-interleave-key="${key}"]`);
	if (!option) return;
	event.preventDefault();
	option.focus();
	if (option instanceof HTMLInputElement) option.click();
}
/** Calls `onPress`, if given, when keys such as `Control+.` are pressed anywhere in the page. */
function useShortcut(keys, onPress) {
	useEffect(() => {
		if (!keys || !onPress) return void 0;
		const listen = (event) => {
			if (event.defaultPrevented || event.repeat || !isPressed(keys, event)) return;
			event.preventDefault();
			onPress();
		};
		document.addEventListener("keydown", listen);
		return () => document.removeEventListener("keydown", listen);
	});
}
function isPressed(keys, event) {
	const parts = keys.split("+");
	const has = (name) => parts.includes(name);
	return event.key.toLowerCase() === parts.at(-1)?.toLowerCase() && event.ctrlKey === has("Control") && event.altKey === has("Alt") && event.metaKey === has("Meta") && event.shiftKey === has("Shift");
}
var textTypes = /^(text|search|email|url|tel|password|number)$/;
function isTextField(element) {
	if (element instanceof HTMLInputElement) return textTypes.test(element.type);
	return element instanceof HTMLTextAreaElement || element instanceof HTMLElement && element.isContentEditable;
}
/** Returns true if the user is typing. An empty field that only has the focus does not count. */
function isTyping() {
	const active = document.activeElement;
	if (!isTextField(active)) return false;
	return (active && "value" in active ? active.value : active?.textContent) !== "";
}
// ../packages/react/src/outlet/useModal.ts
/** Opens a native dialog as a modal, focuses its first field, and restores the focus when it closes. */
function useModal({ isOpen, content, onClosed }) {
	const ref = useRef(null);
	const opener = useRef(void 0);
	useDrawEffect(() => {
		const dialog = ref.current;
		if (!dialog) return;
		if (isOpen && content !== void 0) {
			if (!dialog.open) {
				opener.current = outside(dialog) ?? opener.current;
				dialog.showModal();
			}
			focusFirst(dialog);
		} else if (dialog.open) {
			dialog.close();
			restoreFocus(opener.current);
			refocus();
		}
	}, [isOpen, content]);
	useDrawEffect(() => {
		const dialog = ref.current;
		const listen = () => {
			if (isOpen && !dialog?.open) onClosed();
		};
		dialog?.addEventListener("close", listen);
		return () => dialog?.removeEventListener("close", listen);
	}, [isOpen, onClosed]);
	useDrawEffect(() => {
		const dialog = ref.current;
		return () => dialog?.close();
	}, []);
	return ref;
}
/** Returns the focused element outside the outlet. Elements of the outlet may be gone when the focus returns. */
function outside(dialog) {
	const active = document.activeElement;
	return active && active !== document.body && !dialog.parentElement?.contains(active) ? active : void 0;
}
/** Browsers restore the focus themselves, unless the focused element is gone. */
function restoreFocus(opener) {
	if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
}
/** Restores the focus if the focused element of the dialog was removed, since Chromium then ignores typing. */
function refocus() {
	const active = document.activeElement;
	if (!(active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)) return;
	active.blur();
	active.focus({ preventScroll: true });
}
function focusFirst(dialog) {
	const first = dialog.querySelector("[data-interleave-focus]") ?? dialog.querySelector("form :is(input, select, textarea, button)");
	first?.focus({ preventScroll: first.closest("[data-interleave=\"actions\"]") !== null });
}
// ../packages/react/src/outlet/AskDialog.tsx
/** One native dialog for all questions. It stays in the page while it is closed, so it keeps what was typed. */
function AskDialog({ run, asks, components, isOpen, onLater, onReply }) {
	const id = useId();
	const [ask] = asks;
	const key = run && ask && `${run.id}/${ask.id}`;
	const ref = useModal({
		isOpen,
		content: key,
		onClosed: onLater
	});
	const pressed = useRef(void 0);
	/** Ignores a second click and a held key that began on the previous question. */
	const ignoreStray = (event) => {
		if (event.detail <= 1) pressed.current = key;
		else if (pressed.current !== key) stop(event);
	};
	return /* @__PURE__ */ jsx("dialog", {
		ref,
		"data-interleave": "dialog",
		"aria-labelledby": `${id}title`,
		"aria-describedby": `${id}origin`,
		onKeyDown: chooseByNumber,
		onKeyDownCapture: (event) => {
			if (event.key === "Enter" && event.repeat && !(event.target instanceof HTMLTextAreaElement)) stop(event);
		},
		onClickCapture: ignoreStray,
		onCancel: (event) => {
			if (event.target !== event.currentTarget) return;
			event.preventDefault();
			onLater();
		},
		children: run && ask && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsxs("header", { children: [
			/* @__PURE__ */ jsx(Origin, {
				id: `${id}origin`,
				run,
				ask
			}),
			asks.length > 1 && /* @__PURE__ */ jsxs("span", {
				"data-interleave": "place",
				children: ["Question 1 of ", asks.length]
			}),
			/* @__PURE__ */ jsx("button", {
				type: "button",
				"data-interleave": "later",
				onClick: onLater,
				children: "Later"
			})
		] }), /* @__PURE__ */ jsx(AskBoundary, {
			ask,
			titleId: `${id}title`,
			children: /* @__PURE__ */ jsx(AskBody, {
				run,
				ask,
				titleId: `${id}title`,
				components,
				onReply
			})
		}, key)] })
	});
}
function stop(event) {
	event.preventDefault();
	event.stopPropagation();
}
/**
* Contains a render error of a question within its dialog: the page continues, and the user can still read or postpone
* the question.
*/
var AskBoundary = class extends Component {
	state = { isBroken: false };
	static getDerivedStateFromError() {
		return { isBroken: true };
	}
	render() {
		const { ask, titleId, children } = this.props;
		if (!this.state.isBroken) return children;
		return /* @__PURE__ */ jsxs("div", {
			"data-interleave": "body",
			children: [
				/* @__PURE__ */ jsx("h2", {
					id: titleId,
					children: /* @__PURE__ */ jsx(UntrustedText, {
						limit: 1e3,
						children: ask.prompt
					})
				}),
				/* @__PURE__ */ jsx("p", {
					role: "alert",
					"data-interleave": "problem",
					children: "The form of this question could not be shown."
				}),
				/* @__PURE__ */ jsxs("details", { children: [/* @__PURE__ */ jsx("summary", { children: "Show the question as plain text" }), /* @__PURE__ */ jsx(UntrustedText, { children: plainJson(ask) })] })
			]
		});
	}
};
var builtIn = {
	choice: ChoiceAsk,
	choices: ChoicesAsk,
	confirm: ConfirmAsk,
	text: TextAsk,
	form: FormAsk,
	link: LinkAsk,
	approval: ApprovalAsk,
	extension: ExtensionAsk
};
/** One question: its prompt, the form of its kind, and the error of the reply. */
function AskBody({ run, ask, titleId, components, onReply }) {
	const { reply: send, error, showProblem, isSending } = useReply(run, ask);
	const problem = error?.message ?? "";
	const Form = components[ask.kind] ?? builtIn[ask.kind];
	const body = useRef(null);
	const reply = async (value) => {
		const takeBack = onReply(ask);
		if (!await send(value)) takeBack();
	};
	useEffect(() => {
		if (!problem) return;
		const field = body.current?.querySelector("[aria-invalid=\"true\"]");
		if (field) field.focus();
		else body.current?.querySelector("[role=\"alert\"]")?.scrollIntoView({ block: "nearest" });
	}, [problem]);
	return /* @__PURE__ */ jsx(ProblemContext.Provider, {
		value: problem,
		children: /* @__PURE__ */ jsxs("div", {
			ref: body,
			"data-interleave": "body",
			children: [
				/* @__PURE__ */ jsx("h2", {
					id: titleId,
					children: /* @__PURE__ */ jsx(UntrustedText, {
						limit: 1e3,
						children: ask.prompt
					})
				}),
				/* @__PURE__ */ jsx("p", {
					role: "alert",
					"data-interleave": "problem",
					children: problem && /* @__PURE__ */ jsx(UntrustedText, { children: problem })
				}),
				/* @__PURE__ */ jsx(DeclineContext.Provider, {
					value: ask.declinable ? reply : void 0,
					children: /* @__PURE__ */ jsx(Form, {
						ask,
						titleId,
						reply,
						showProblem,
						isSending
					})
				})
			]
		})
	});
}
// ../packages/react/src/isDevelopment.ts
/** Bundlers put the value in place of the whole expression; without one there is no `process`. */
function isDevelopment() {
	try {
		return process.env.NODE_ENV !== "production";
	} catch {
		return false;
	}
}
// ../packages/react/src/outlet/Notices.tsx
/** Shows why a run failed, what to do about it, and a retry button. */
function FailureAlert({ run }) {
	const failed = useSignal(run, "failed");
	const [problem, setProblem] = useState();
	const [ref, resume] = useResume(run);
	useEffect(() => {
		setProblem(void 0);
		if (run && failed) reportFailure(run, failed);
	}, [run, failed]);
	const retry = () => {
		try {
			resume();
		} catch (error) {
			setProblem(error);
		}
	};
	const advice = failed && adviceOf(failed.error);
	return /* @__PURE__ */ jsx("div", {
		ref,
		tabIndex: -1,
		"data-interleave": "failed",
		children: failed && /* @__PURE__ */ jsxs("div", {
			role: "alert",
			"data-interleave": "failure",
			children: [
				/* @__PURE__ */ jsx("strong", { children: "The agent could not finish." }),
				/* @__PURE__ */ jsx("p", {
					"data-interleave": "reason",
					children: /* @__PURE__ */ jsx(UntrustedText, {
						limit: 1e3,
						children: failed.error.message
					})
				}),
				advice && /* @__PURE__ */ jsx("p", {
					"data-interleave": "advice",
					children: advice
				}),
				problem !== void 0 && /* @__PURE__ */ jsx("p", {
					"data-interleave": "reason",
					children: messageOf(problem)
				}),
				/* @__PURE__ */ jsx("button", {
					type: "button",
					"data-interleave": "retry",
					onClick: retry,
					children: "Retry"
				})
			]
		})
	});
}
/** Shows that a run was opened from a file, and a button that continues it. Nothing of it runs before that. */
function ImportedNote({ run }) {
	const isImported = useSignal(run, "stopped")?.cause === "imported";
	const [ref, resume] = useResume(run);
	return /* @__PURE__ */ jsx("div", {
		ref,
		tabIndex: -1,
		"data-interleave": "opened",
		children: isImported && /* @__PURE__ */ jsxs("div", {
			role: "status",
			"data-interleave": "imported",
			children: [
				/* @__PURE__ */ jsx("strong", { children: "Opened from a file. Continue here?" }),
				/* @__PURE__ */ jsx("p", {
					"data-interleave": "advice",
					children: "Nothing runs until you do. Open questions are asked again."
				}),
				/* @__PURE__ */ jsx("button", {
					type: "button",
					"data-interleave": "continue",
					onClick: resume,
					children: "Continue"
				})
			]
		})
	});
}
/** Returns a ref for the notice, which gets the focus when its button disappears, and a function that resumes the run. */
function useResume(run) {
	const ref = useRef(null);
	const resume = () => {
		run?.resume();
		ref.current?.focus({ preventScroll: true });
	};
	return [ref, resume];
}
var reported = /* @__PURE__ */ new WeakSet();
/** Logs in development why a run failed: once, however many components show it. */
function reportFailure({ state }, signal) {
	if (!isDevelopment() || reported.has(signal)) return;
	reported.add(signal);
	const { code, message } = signal.error;
	const advice = adviceOf(signal.error);
	console.error(`The agent "${state.agent}" failed (${code}): ${message}${advice ? `\n${advice}` : ""}`);
}
// ../packages/react/src/outlet/SignalOutlet.tsx
var builtInOnly = {};
/**
* Shows a run's questions, one at a time, in a modal dialog. Escape postpones them: a button shows how many wait, and
* reopens them with what the user has typed. If the run fails, the outlet shows why, what to do and a retry button. If the
* run was opened from a file, a button continues it. Render it outside of your forms: forms cannot be nested.
*
* @example
* const { run, say } = useReAct(planner)
* return <SignalOutlet run={run} />
*/
function SignalOutlet({ run, components = builtInOnly, open, onOpenChange, shortcut = "Control+.", failures = true, className }) {
	const asks = useAsks(run);
	const [isOpen, setOpen] = useOpen(asks, {
		open,
		onOpenChange
	});
	const [announcement, onReply] = useAnnouncement(asks, {
		run,
		isOpen,
		shortcut
	});
	useShortcut(shortcut, asks.length > 0 && !isOpen ? () => setOpen(true) : void 0);
	return /* @__PURE__ */ jsxs("div", {
		"data-interleave": "outlet",
		className,
		children: [
			/* @__PURE__ */ jsx("div", {
				"data-interleave": "waiting",
				children: asks.length > 0 && /* @__PURE__ */ jsx("button", {
					type: "button",
					"aria-keyshortcuts": shortcut || void 0,
					"data-keys": shortcut ? shortcut.replace("Control", "Ctrl") : void 0,
					onClick: () => setOpen(true),
					children: asks.length === 1 ? "1 question waiting" : `${asks.length} questions waiting`
				})
			}),
			/* @__PURE__ */ jsx("p", {
				role: "status",
				"data-interleave": "news",
				children: announcement
			}),
			failures && /* @__PURE__ */ jsx(FailureAlert, { run }),
			failures && /* @__PURE__ */ jsx(ImportedNote, { run }),
			/* @__PURE__ */ jsx(AskDialog, {
				run,
				asks,
				components,
				isOpen,
				onLater: () => setOpen(false),
				onReply
			})
		]
	});
}
/** Controls whether questions are shown. A new one opens by itself, unless the user is typing. */
function useOpen(asks, { open, onOpenChange }) {
	const [own, setOwn] = useState(false);
	const before = useRef([]);
	const setOpen = (next) => {
		setOwn(next);
		onOpenChange?.(next);
	};
	useEffect(() => {
		const isNew = asks.some((ask) => !before.current.includes(ask));
		const wasShown = before.current.length > 0;
		before.current = asks;
		if (isNew && !isTyping()) setOpen(true);
		else if (wasShown && asks.length === 0) setOpen(false);
	});
	return [asks.length > 0 && (open ?? own), setOpen];
}
// ../packages/react/src/ReActProvider.tsx
var Defaults = createContext({});
/** Returns the defaults of the surrounding `ReActProvider`s; empty without one. */
var useStartDefaults = () => useContext(Defaults);
// ../packages/react/src/fields.ts
/** Each selector returns the same value for the same state. */
var selectors = {
	state: (state) => state,
	status: (state) => statusOf(state).status,
	signal: ({ rest }) => rest,
	answer: ({ rest }) => rest?.type === "answer" ? rest.output : void 0,
	scratchpad,
	usage: usageOf$1,
	asks: asksOf,
	allowed: allowedOf,
	draft: draftOf,
	partialOutput,
	isWorking: (state) => statusOf(state).status === "working",
	error: ({ rest }) => rest?.type === "failed" ? rest.error : void 0
};
var names = Object.keys(selectors);
/** Tracks the fields that a component has read, so that it renders only for those. */
var FieldTracker = class {
	#read = /* @__PURE__ */ new Set();
	/** May be newer than what was drawn, in fields that were not read. A first read returns the newest value. */
	#latest;
	#agent;
	/** The component reads the link. */
	readsLink = false;
	constructor(state, agent) {
		this.#latest = state;
		this.#agent = agent;
	}
	selector = (state) => {
		this.#latest = state;
		return state;
	};
	isEqual = (a, b) => [...this.#read].every((name) => Object.is(selectors[name](a, this.#agent()), selectors[name](b, this.#agent())));
	/** Returns the fields of the latest state as getters that record what is read. */
	fields() {
		const fields = {};
		for (const name of names) {
			const get = () => {
				this.#read.add(name);
				return selectors[name](this.#latest, this.#agent());
			};
			Object.defineProperty(fields, name, {
				get,
				enumerable: true,
				configurable: true
			});
		}
		return fields;
	}
};
// ../packages/react/src/pageRuns.ts
/**
* The runs of this page, by journal and id: a run that is resumed twice would execute twice. A working run is held here.
* A settled one is only referenced weakly, since the journal can load it again.
*/
var perJournal = /* @__PURE__ */ new WeakMap();
/** Returns the run with this id: the one in this page, or the one of the journal, resumed. */
async function attachRun(agent, runId, options) {
	const journal = "backend" in agent ? options.journal : void 0;
	const here = journal && runHere(journal, runId);
	if (here) return here;
	const resumed = agent.resume(runId, options);
	if (journal) keep(journal, runId, resumed);
	return resumed;
}
/** Returns the run with this id if it is in this page. */
function runHere(journal, runId) {
	const known = perJournal.get(journal)?.get(runId);
	return known instanceof WeakRef ? known.deref() : known;
}
/** Makes a run that was started here known by its id. */
function keepRun(run, { journal }) {
	if (journal) keep(journal, run.id, Promise.resolve(run));
}
async function keep(journal, runId, loading) {
	const runs = perJournal.get(journal) ?? /* @__PURE__ */ new Map();
	perJournal.set(journal, runs);
	runs.set(runId, loading);
	try {
		const run = await loading;
		if (run.state.rest) runs.set(runId, new WeakRef(run));
		run.subscribe(({ type }) => {
			if (type === "rested") runs.set(runId, new WeakRef(run));
			else if (runs.get(runId) !== loading) runs.set(runId, loading);
		});
	} catch {
		runs.delete(runId);
	}
}
// ../packages/react/src/HeldRun.ts
var isSameRequest = (a, b) => a.agent === b.agent && a.run === b.run && a.runId === b.runId;
var initiallyShown = (request) => ({
	request,
	run: request.run,
	isAttaching: !request.run && request.runId !== void 0
});
/**
* The run of a component, outside of React: loads it, and does what the user does with it. Event handlers and effects
* write it, a render never does.
*/
var HeldRun = class {
	agent;
	options;
	#shown;
	#notified;
	#notify;
	#loading;
	#loads = 0;
	constructor({ agent, options, shown }, notify) {
		this.agent = agent;
		this.options = options;
		this.#shown = this.#notified = shown;
		this.#notify = notify;
	}
	get shown() {
		return this.#shown;
	}
	/** Switches to another run: the given one, or none until the one with the id is loaded. Does not notify yet. */
	switchTo(request) {
		this.#shown = initiallyShown(request);
		this.#loading = void 0;
	}
	/** Notifies the component of a switch. */
	flush() {
		if (this.#notified !== this.#shown) this.#show(this.#shown);
	}
	/** Loads the run of `runId`. Returns a function that makes the component ignore the result. */
	attach() {
		const { request, isAttaching } = this.#shown;
		const load = ++this.#loads;
		if (request.runId === void 0) return () => {};
		if (!isAttaching) this.#show({
			request,
			run: void 0,
			isAttaching: true
		});
		const end = (found) => {
			if (load === this.#loads && this.#shown.isAttaching) this.#show({
				request,
				...found,
				isAttaching: false
			});
			return found.run;
		};
		const loading = attachRun(this.agent, request.runId, this.options).then((run) => end({ run }), (error) => end({
			run: void 0,
			failure: toFailure(error)
		})).finally(() => {
			if (this.#loading === loading) this.#loading = void 0;
		});
		this.#loading = loading;
		return () => {
			if (load === this.#loads) this.#loads++;
		};
	}
	start = (input) => {
		const run = this.agent.start(input, this.options);
		keepRun(run, this.options);
		this.#show({
			request: this.#shown.request,
			run,
			isAttaching: false
		});
		return run;
	};
	say = async (content) => {
		const loaded = this.#loaded();
		const run = loaded instanceof Promise ? await loaded : loaded;
		if (run) await run.say(content);
		else this.start(content);
	};
	reply = async (ask, value) => {
		await (await this.#loaded() ?? noRun()).reply(typeof ask === "string" ? ask : ask.id, value);
	};
	disallow = async (id) => {
		await (await this.#loaded() ?? noRun()).disallow(id);
	};
	stop = async (reason) => {
		await (await this.#loaded())?.stop(reason);
	};
	resume = () => {
		const { run, failure } = this.#shown;
		if (run) run.resume();
		else if (failure) this.attach();
		else noRun();
	};
	reset = () => this.#show({
		request: this.#shown.request,
		run: void 0,
		isAttaching: false
	});
	/** Stops the run because its component is gone. Errors appear in the run itself. */
	abandon() {
		const { run } = this.#shown;
		(run ? run.stop() : this.#loading?.then((loaded) => loaded?.stop()))?.catch(() => {});
	}
	/** Returns the run to act on, once it is loaded. */
	#loaded() {
		const { run, isAttaching } = this.#shown;
		if (isAttaching && !this.#loading) this.attach();
		return this.#loading ?? run;
	}
	#show(shown) {
		this.#shown = this.#notified = shown;
		this.#notify(shown);
	}
};
function toFailure(error) {
	const message = messageOf(error);
	return isAgentError(error) ? {
		code: error.code,
		message,
		retryable: error.retryable
	} : {
		code: "journal_failed",
		message,
		retryable: true
	};
}
function noRun() {
	throw new AgentError("run_unknown", "There is no run yet. Call start() or say() first.");
}
// ../packages/react/src/useHeldRun.ts
/** Returns the run that a component shows, and the object that loads and controls it. */
function useHeldRun(agent, options) {
	const { run: given, runId, initialState: _, onUnmount = "detach", ...own } = options;
	const startOptions = {
		...useStartDefaults(),
		...own
	};
	const request = {
		agent: agent.name,
		run: given,
		runId: given ? void 0 : runId
	};
	const [shown, setShown] = useState(() => initiallyShown(request));
	const [held] = useState(() => new HeldRun({
		agent,
		options: startOptions,
		shown
	}, setShown));
	useInsertionEffect(() => {
		held.agent = agent;
		held.options = startOptions;
		if (!isSameRequest(held.shown.request, request)) held.switchTo(request);
	});
	useEffect(() => held.flush());
	const hasJournal = startOptions.journal !== void 0;
	useEffect(() => {
		const { isAttaching, failure } = held.shown;
		return isAttaching || failure ? held.attach() : void 0;
	}, [
		held,
		agent.name,
		given,
		runId,
		hasJournal
	]);
	useRemoval(() => {
		if (onUnmount === "stop") held.abandon();
	});
	return [isSameRequest(shown.request, request) ? shown : initiallyShown(request), held];
}
/**
* Calls back when the component is removed. Other effects also end if it is only hidden, as by `<Activity>`, and restart
* immediately under StrictMode and after a hot reload; so this one checks a moment later whether it has restarted.
*/
function useRemoval(callback) {
	const latest = useLatest(callback);
	const isMounted = useRef(false);
	useInsertionEffect(() => {
		isMounted.current = true;
		return () => {
			isMounted.current = false;
			queueMicrotask(() => {
				if (!isMounted.current) latest.current();
			});
		};
	}, [latest]);
}
// ../packages/react/src/useReAct.ts
/**
* Connects an agent to a component: starts runs, talks to them, and shows what they do. The component renders only for
* the fields that it reads. Runs are independent of React: they survive renders, and continue when the component
* unmounts.
*
* Another agent name, `run` or `runId` shows another run. Other options are read when they are used.
*
* @example
* const { say, answer, isWorking } = useReAct(planner)
* return <button disabled={isWorking} onClick={() => say('A weekend in Lisbon')}>{answer ?? 'Plan'}</button>
*/
function useReAct(agent, options = {}) {
	const [{ run: loaded, failure, isAttaching }, held] = useHeldRun(agent, options);
	const standIn = useStandIn(isAttaching || failure ? options.initialState : void 0, held);
	const run = loaded ?? standIn;
	const store = storeOf(run);
	const [tracker] = useState(() => new FieldTracker(store.initialState, () => held.agent));
	const drawn = useSelected(store, tracker);
	const link = useReadLink(store, tracker);
	useAgentWarning(agent, drawn);
	return useMemo(() => {
		const { start, say, reply, disallow, stop, resume, reset } = held;
		const own = {
			run,
			isAttaching,
			start,
			say,
			reply,
			disallow,
			stop,
			resume,
			reset,
			...failure && { error: failure }
		};
		const react = Object.defineProperties(tracker.fields(), Object.getOwnPropertyDescriptors(own));
		return Object.defineProperty(react, "link", {
			get: () => {
				tracker.readsLink = true;
				return link ?? store.link;
			},
			enumerable: true
		});
	}, [
		tracker,
		run,
		store,
		drawn,
		link,
		failure,
		isAttaching,
		held
	]);
}
/** Returns the link of the run if the component reads it, so that others do not render for it. */
function useReadLink(store, tracker) {
	return useSyncExternalStore(store.subscribe, () => tracker.readsLink ? store.link : void 0, () => void 0);
}
/**
* Returns a run that shows a state until the run itself is loaded, so that a server renders it. Messages and replies go
* to the run once it is loaded.
*/
function useStandIn(state, held) {
	return useMemo(() => {
		const { say, reply, disallow, stop, resume } = held;
		return state && Object.assign(stillRun(state), {
			say,
			reply,
			disallow,
			stop,
			resume
		});
	}, [
		state?.runId,
		state?.seq,
		held
	]);
}
var rendersUntilWarning = 3;
/**
* Warns once, in development, if an agent is created in each render. Counts only renders that the run caused, since
* those have no other reason for a new agent.
*/
function useAgentWarning(agent, drawn) {
	const before = useRef({
		agent,
		drawn,
		times: 0
	});
	useEffect(() => {
		if (!isDevelopment()) return;
		const last = before.current;
		const isOther = agent !== last.agent;
		const times = isOther && drawn !== last.drawn ? last.times + 1 : isOther ? last.times : 0;
		before.current = {
			agent,
			drawn,
			times
		};
		if (times !== rendersUntilWarning || last.times >= rendersUntilWarning) return;
		console.warn(`useReAct() gets a new agent "${agent.name}" in each render. Nothing is lost, but creating an agent takes time: create it outside of the component, or in useMemo().`);
	});
}
// ../packages/testing/src/scriptedModel.ts
/** A model that reads its lines, one turn per call, and says so when the script is over. A function alone answers every call. */
function scriptedModel(...turns) {
	const calls = [];
	const take = async (call) => {
		const number = calls.length;
		const { abortSignal: _, ...data } = call;
		calls.push(copyOf(data));
		const [only] = turns;
		const turn = turns.length === 1 && typeof only === "function" ? only : turns[number];
		if (turn === void 0) throw new Error(`The script has ${turns.length} turns, and turn ${number + 1} was asked for.`);
		return toParts(turn, call, number);
	};
	return {
		specificationVersion: "v4",
		provider: "scripted",
		modelId: "scripted",
		supportedUrls: {},
		calls,
		async doStream(call) {
			return { stream: toStream(await take(call)) };
		},
		doGenerate: () => Promise.reject(/* @__PURE__ */ new Error("A scripted model only streams."))
	};
}
/** Lists and plain objects are copied. Addresses are URL objects, which `structuredClone` refuses. */
function copyOf(value) {
	if (Array.isArray(value)) return value.map(copyOf);
	if (typeof value !== "object" || value === null || !isPlain$1(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}
async function toParts(turn, call, number) {
	if (typeof turn === "function") return toParts(await turn(call), call, number);
	if (turn instanceof Error) throw turn;
	if (typeof turn === "string") return [...replyParts({ text: turn }, number)];
	return Array.isArray(turn) ? [...turn] : [...replyParts(turn, number)];
}
function* replyParts({ reasoning, text, calls = [], usage }, number) {
	yield {
		type: "stream-start",
		warnings: []
	};
	if (reasoning !== void 0) yield* block("reasoning", reasoning);
	if (text !== void 0) yield* block("text", text);
	for (const [index, { name, input, id = `call-${number}-${index}` }] of calls.entries()) {
		const json = typeof input === "string" ? input : JSON.stringify(input);
		yield {
			type: "tool-input-start",
			id,
			toolName: name
		};
		yield {
			type: "tool-input-delta",
			id,
			delta: json
		};
		yield {
			type: "tool-input-end",
			id
		};
		yield {
			type: "tool-call",
			toolCallId: id,
			toolName: name,
			input: json
		};
	}
	yield {
		type: "finish",
		finishReason: calls.length > 0 ? finished("tool-calls") : finished("stop"),
		usage: usageOf(usage)
	};
}
/** Word by word, as providers stream. */
function* block(type, text) {
	const id = `${type}-0`;
	yield {
		type: `${type}-start`,
		id
	};
	for (const delta of text.match(/(?<!\s)\s*\S+(?:\s+$)?/g) ?? (text ? [text] : [])) yield {
		type: `${type}-delta`,
		id,
		delta
	};
	yield {
		type: `${type}-end`,
		id
	};
}
var finished = (unified) => ({
	unified,
	raw: unified
});
var usageOf = ({ input = 10, output = 5 } = {}) => ({
	inputTokens: {
		total: input,
		noCache: input,
		cacheRead: 0,
		cacheWrite: 0
	},
	outputTokens: {
		total: output,
		text: output,
		reasoning: 0
	}
});
function toStream(parts) {
	let next = 0;
	return new ReadableStream({ pull(stream) {
		const part = parts[next++];
		if (part) stream.enqueue(part);
		else stream.close();
	} });
}
export { isAgentError as C, AgentError as S, messageOf as T, checkRunId as _, agent as a, isObject as b, readLog as c, confirm as d, tool as f, checkKey as g, assertOption as h, useMessages as i, toJournalError as l, importedRest as m, useReAct as n, fold as o, noUsage as p, SignalOutlet as r, isJournalError as s, scriptedModel as t, choice as u, isId$1 as v, isConflict as w, problemInData as x, canonicalJson as y };
