import { useShell } from "../lib/shell-context";
import { Tooltip } from "../kit/tooltip";
import { ChatIcon } from "./shell-icons";

export function ChatButton() {
  const { chat } = useShell();
  if (!chat) return null;
  return (
    <aside className="chat-place" aria-label="Chat">
      <Tooltip text={chat.label}>
        {/* The tooltip says the link's own name: as its description it would be read twice. */}
        {() => (
          <a className="chat-button" href={chat.href} target="_blank" rel="noopener noreferrer" aria-label={`${chat.label} (opens in a new tab)`}>
            <ChatIcon />
          </a>
        )}
      </Tooltip>
    </aside>
  );
}
