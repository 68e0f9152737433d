"""resumptions"""
