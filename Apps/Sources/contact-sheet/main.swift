print("contact-sheet")
