// Starts `eventrie lsp` and shows what it explains.
import { commands, languages, window, workspace, type ExtensionContext, type OutputChannel } from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

const LANGUAGES = ["json", "jsonc", "yaml", "terraform", "hcl", "cloudformation"];
/** The command of the lenses above patterns; the server answers with the whole explanation. */
const EXPLAIN = "eventrie.explain";

let client: LanguageClient | undefined;
let explanations: OutputChannel | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  explanations = window.createOutputChannel("eventrie explanation");
  context.subscriptions.push(
    explanations,
    commands.registerCommand("eventrie.restart", restart),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("eventrie")) void restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function restart(): Promise<void> {
  // One that did not start cannot be stopped.
  await client?.stop().catch(() => undefined);
  client = undefined;
  await start();
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("eventrie");
  const program = settings.get<string>("path") || "eventrie";
  const known = new Set(await languages.getLanguages());
  const server: ServerOptions = { command: program, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.filter((language) => known.has(language)).flatMap((language) => [
      { language, scheme: "file" },
      { language, scheme: "untitled" },
    ]),
    initializationOptions: {
      // An empty setting leaves the decision to `eventrie.toml`.
      dialect: settings.get<string>("dialect") || undefined,
      level: settings.get<string>("level") || undefined,
      event: settings.get<string>("event") || undefined,
      showMessages: false,
    },
    middleware: {
      async executeCommand(command, args, next) {
        const answer: unknown = await next(command, args);
        if (command === EXPLAIN && typeof answer === "string" && explanations) {
          explanations.clear();
          explanations.append(answer);
          explanations.show(true);
        }
        return answer;
      },
    },
  };
  client = new LanguageClient("eventrie", "eventrie", server, options);
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `eventrie: \`${program} lsp\` could not be started: ${reason}. Install eventrie, or set eventrie.path.`;
    void window.showErrorMessage(text);
  }
}
