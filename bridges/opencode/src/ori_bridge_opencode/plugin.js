// ori-bridge:opencode  Written by `ori bridge opencode`; changes are lost with the next run of it.
// Tells the agent its brief, looks at notes that were written, and offers a session to the memory when it rests.
import { spawn } from "node:child_process"

const COMMAND = "@COMMAND@"
const VAULT = "@VAULT@"
const SECONDS = 5

// Runs a hook of ori without a shell. Whatever goes wrong, the answer is empty and the client goes on.
function ask(moment, document, folder) {
  return new Promise((resolve) => {
    let said = ""
    const child = start(moment, folder, ["pipe", "pipe", "ignore"], resolve)
    if (!child) return
    const timer = setTimeout(() => child.kill(), SECONDS * 1000)
    child.stdout.on("data", (data) => (said += data))
    child.on("close", () => {
      clearTimeout(timer)
      resolve(context(said))
    })
    send(child, document)
  })
}

// The client may leave at once, and this goes on without it.
function tell(moment, document, folder) {
  const child = start(moment, folder, ["pipe", "ignore", "ignore"], () => {}, { detached: true })
  if (!child) return
  send(child, document)
  child.unref()
}

function start(moment, folder, stdio, failed, more = {}) {
  const [program, ...words] = [...COMMAND, "hook", moment, "--client", "opencode", ...VAULT]
  try {
    const child = spawn(program, words, { cwd: folder, stdio, windowsHide: true, ...more })
    child.on("error", () => failed(""))
    return child
  } catch {
    failed("")
  }
}

function send(child, document) {
  child.stdin.on("error", () => {})
  child.stdin.end(JSON.stringify(document))
}

function context(said) {
  try {
    return JSON.parse(said).context ?? ""
  } catch {
    return ""
  }
}

function text(parts) {
  return (parts ?? [])
    .filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
    .map((part) => part.text)
    .join("\n\n")
}

export const OriMemory = async ({ client, directory }) => {
  const briefs = new Map() // One a session, so that the beginning of each request stays the same.
  const helpers = new Set() // Sessions of subagents: no person speaks in them.

  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.created" && about.info?.parentID) helpers.add(about.info.id)
      if (event.type !== "session.idle" || helpers.has(about.sessionID)) return
      try {
        const found = await client.session.messages({ path: { id: about.sessionID } })
        const messages = (found.data ?? []).map(({ info, parts }) => ({ role: info.role, content: text(parts) }))
        tell("capture", { hook_event_name: "SessionEnd", session_id: about.sessionID, cwd: directory, messages }, directory)
      } catch {
        // The session is gone; there is nothing to keep of it.
      }
    },

    "experimental.chat.system.transform": async (input, output) => {
      const session = input.sessionID
      if (!session || helpers.has(session)) return // The request for a title belongs to no session.
      if (!briefs.has(session)) {
        briefs.set(session, ask("orient", { hook_event_name: "SessionStart", session_id: session, cwd: directory }, directory))
      }
      const brief = await briefs.get(session)
      if (brief) output.system.push(brief)
    },

    "tool.execute.after": async (input, output) => {
      if (!["write", "edit", "patch", "apply_patch", "multiedit"].includes(input.tool)) return
      const document = { hook_event_name: "PostToolUse", cwd: directory, tool_name: input.tool, tool_input: input.args ?? output.metadata ?? {} }
      const told = await ask("validate", document, directory)
      if (told && typeof output.output === "string") output.output += `\n\n${told}`
    },
  }
}
