import JSON

func json(_ text: String) throws -> JSONView { try JSONDocument(parsing: Array(text.utf8)).root }
