import { Icon } from "../kit/icon";

export function ChevronIcon() {
  return <Icon path="M6 9.5l6 6 6-6" />;
}

export function ChatIcon() {
  return <Icon path="M4 19.5l1.2-3.7a7.8 7.8 0 1 1 3 2.8zM8.8 11.2q3.2 3.4 6.4 0M9.6 13.2l-.7 1.2M12 13.9v1.5M14.4 13.2l.7 1.2" />;
}
