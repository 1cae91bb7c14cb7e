"""The names of keys, as the DOM has them, in the words of each protocol."""

# WebDriver's code points, for Firefox.
WEBDRIVER = {
    "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a",
    "Escape": "\ue00c", "Space": " ", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Insert": "\ue016",
    "Delete": "\ue017", "F10": "\ue03a", "Meta": "\ue03d", "ContextMenu": "\ue05d",
}
# X's key symbols, for WebKit.
X = {
    "Backspace": "BackSpace", "Tab": "Tab", "Enter": "Return", "Shift": "shift", "Control": "ctrl", "Alt": "alt",
    "Escape": "Escape", "Space": "space", " ": "space", "PageUp": "Page_Up", "PageDown": "Page_Down", "End": "End",
    "Home": "Home", "ArrowLeft": "Left", "ArrowUp": "Up", "ArrowRight": "Right", "ArrowDown": "Down", "Insert": "Insert",
    "Delete": "Delete", "F10": "F10", "Meta": "Super_L", "ContextMenu": "Menu",
}


def x_symbol(key):
    """The symbol of a key or letter: letters beyond ASCII by their number."""
    if key in X:
        return X[key]
    if len(key) == 1:
        return key if key.isascii() and key.isalnum() else f"U{ord(key):04X}"
    raise ValueError(f"no key is called {key}")
