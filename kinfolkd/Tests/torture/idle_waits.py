"""idle_waits"""
