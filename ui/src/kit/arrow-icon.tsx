import { Icon } from "./icon";

export function ArrowIcon() {
  return <Icon path="M4 12h15M13 6l6 6-6 6" />;
}
